"""Analysis of variance and its rank forms."""

import itertools
import math
import warnings

import numpy
from scipy import optimize, stats

from check import Case
from families import data

warnings.filterwarnings("ignore")


def f_scipy(a):
    r = stats.f_oneway(*a["groups"])
    return {"F": r.statistic, "p": r.pvalue}


def welch_scipy(a):
    r = stats.f_oneway(*a["groups"], equal_var=False)
    return {"F": r.statistic, "p": r.pvalue}


def noncentral_scipy(a):
    """Eta squared by inverting the noncentral F distribution."""
    f = float(stats.f_oneway(*a["groups"]).statistic)
    df1, n = len(a["groups"]) - 1, sum(len(g) for g in a["groups"])
    df2 = n - df1 - 1
    if f > 200:
        raise ValueError("out of SciPy's reach")
    def limit(tail, wanted):
        if (tail(f, df1, df2, 1e-12) - wanted) * (tail(f, df1, df2, 1e4) - wanted) > 0:
            return 0.0
        return optimize.brentq(lambda l: tail(f, df1, df2, l) - wanted, 1e-12, 1e4, xtol=1e-13, rtol=1e-13)
    low, high = limit(stats.ncf.sf, 0.025), limit(stats.ncf.cdf, 0.025)
    eta = df1 * f / (df1 * f + df2)
    return {"effect.eta squared": eta, "effect.eta squared.low": low / (low + n),
            "effect.eta squared.high": high / (high + n)}


def kruskal_scipy(a):
    r = stats.kruskal(*a["groups"])
    return {"H": r.statistic, "p": r.pvalue}


def brunner_dette_munk(a):
    """By matrices, as in the paper."""
    g = a["groups"]
    n = numpy.array([len(v) for v in g])
    ranks, ends = stats.rankdata(numpy.concatenate(g)), numpy.cumsum(numpy.r_[0, n])
    parts = [ranks[b:e] for b, e in zip(ends, ends[1:])]
    total, k = n.sum(), len(g)
    effect = numpy.array([v.mean() for v in parts]) / total - 0.5 / total
    variance = numpy.diag([total * v.var(ddof=1) / total ** 2 / len(v) for v in parts])
    if not variance.any():
        raise ValueError("ranks do not vary")
    t = numpy.eye(k) - 1 / k
    tv = t @ variance
    f = total * effect @ t @ effect / numpy.trace(tv)
    d = numpy.diag(numpy.diag(t))
    df1 = numpy.trace(tv) ** 2 / numpy.trace(tv @ tv)
    df2 = numpy.trace(d @ variance) ** 2 / numpy.trace(d @ d @ variance @ variance @ numpy.diag(1 / (n - 1)))
    return {"F": f, "df0": df1, "df1": df2, "p": stats.f.sf(f, df1, df2)}


def friedman_scipy(a):
    r = stats.friedmanchisquare(*a["conditions"])
    return {"Q": r.statistic, "p": r.pvalue}


def mauchly_box(a):
    """Mauchly's W and p by Box's general expansion (1949) to second order, from the moments of W."""
    subjects = numpy.array(a["subjects"])
    n, k = len(subjects) - 1, subjects.shape[1]
    p = k - 1
    contrasts = numpy.linalg.qr(numpy.column_stack([numpy.ones(k), numpy.eye(k)[:, 1:]]))[0][:, 1:]
    errors = numpy.cov((subjects @ contrasts).T) * n
    w = numpy.linalg.det(errors) / (numpy.trace(errors) / p) ** p
    rho = 1 - (2 * p * p + p + 2) / (6 * p * n)
    bernoulli = lambda x: x ** 3 - 1.5 * x ** 2 + 0.5 * x
    x, y = n / 2, p * n / 2
    second = -(sum(bernoulli((1 - rho) * x + (1 - j) / 2) / (rho * x) ** 2 for j in range(1, p + 1))
               - bernoulli((1 - rho) * y) / (rho * y) ** 2) / 6
    statistic, f = -n * rho * math.log(w), p * (p + 1) / 2 - 1
    first = stats.chi2.sf(statistic, f)
    value = min(1, max(0, first + second * (stats.chi2.sf(statistic, f + 4) - first)))
    name = a["within"][0]["name"]
    return {f"sphericity/{name}/Mauchly's W": w, f"sphericity/{name}/p": value}


def repeated(random):
    k = random.randint(3, 6)
    subjects = [[round(level + random.gauss(0.2 * j, 1 + 0.3 * j), 4) for j in range(k)]
                for level in (random.gauss(0, 1) for _ in range(random.randint(k + 2, 25)))]
    return {"factors": [], "within": [{"name": "u", "levels": k}], "subjects": subjects, "type": 3}


def conditions(random, make=data.sample, least=3):
    k, n, kind = random.randint(least, 6), random.randint(3, 20), data.shape(random)
    subjects = [random.gauss(0, 1) for _ in range(n)]
    return [[round(v + s, 3) for v, s in zip(data.varied(make, random, n, random.gauss(0, 0.4), kind), subjects)]
            for _ in range(k)]


def cells(random, factors):
    """Codes of an unbalanced design without empty cells, at least two values in each."""
    levels = [random.randint(2, 3) for _ in range(factors)]
    codes = [[] for _ in range(factors)]
    total = math.prod(levels)
    for cell in range(total):
        rest, own = cell, []
        for size in reversed(levels):
            own.insert(0, rest % size)
            rest //= size
        for _ in range(random.randint(2, 5)):
            for f in range(factors):
                codes[f].append(own[f])
    return [{"name": "abc"[f], "levels": levels[f], "codes": codes[f]} for f in range(factors)]


def outcome(random, n):
    return [round(random.gauss(0, 1) + (5 if random.random() < 0.2 else 0), 4) for _ in range(n)]


def factorial(random, covariates=0):
    factors = cells(random, random.randint(1, 3) if covariates == 0 else random.randint(1, 2))
    n = len(factors[0]["codes"])
    a = {"factors": factors, "y": outcome(random, n), "type": random.randint(1, 3)}
    if covariates:
        a["covariates"] = [{"name": f"x{i}", "values": outcome(random, n)} for i in range(covariates)]
    return a


def mixed(random, between):
    within = [{"name": "uvw"[i], "levels": random.randint(2, 4)} for i in range(random.randint(1, 2))]
    measures = math.prod(w["levels"] for w in within)
    factors = cells(random, between)
    n = len(factors[0]["codes"]) if between else random.randint(4, 12)
    n = max(n, 4)
    subjects = []
    for _ in range(n):
        level = random.gauss(0, 1)
        subjects.append([round(level + random.gauss(0.3 * j, 1), 4) for j in range(measures)])
    return {"factors": factors, "within": within, "subjects": subjects, "type": random.choice([2, 3])}


def cases(random, count):
    half = (count + 1) // 2
    for _ in range(half):
        yield Case("f_test", {"groups": data.groups(random)}, "f_test", f_scipy)
        yield Case("welch_anova", {"groups": data.groups(random, low=3)}, "welch_anova", welch_scipy)
        yield Case("kruskall_wallis", {"groups": data.groups(random)}, "kruskall_wallis", kruskal_scipy)
        yield Case("friedman", {"conditions": conditions(random)}, "friedman", friedman_scipy)
        for _ in range(2):
            yield Case("brunner_dette_munk", {"groups": data.groups(random)}, python=brunner_dette_munk)
    for _ in range(half // 4):
        yield Case("f_test", {"groups": data.groups(random)}, None, noncentral_scipy)
    for _ in range(count + count // 20):
        # R's noncentral F answers to about 1e-8.
        yield Case("factorial_ANOVA", factorial(random), "factorial",
                   tolerances={f"analysis of variance/{term}/effect.partial eta squared.{end}": 1e-6
                               for term in ("a", "b", "c", "a:b", "a:c", "b:c", "a:b:c") for end in ("low", "high")})
        yield Case("ancova", factorial(random, random.randint(1, 2)), "ancova")
    for i in range(count):
        a = factorial(random, i % 3 if i % 2 else 0)
        yield Case("simple_effects", a, "simple_effects")
        pairs = itertools.combinations(range(a["factors"][0]["levels"]), 2)
        # R's ptukey answers to about 1e-10 absolutely.
        yield Case("marginal_means", a, "marginal_means",
                   tolerances={f"comparisons/l{i} - l{j}/p": 1e-4 for i, j in pairs})
    for _ in range(count // 4):
        yield Case("mixed_anova", repeated(random), None, mauchly_box)
    for i in range(count):
        yield Case("mixed_anova", mixed(random, i % 3), "mixed")
