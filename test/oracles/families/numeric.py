"""Distributions, their far tails and quantiles, against R and SciPy."""

import math
import warnings

from scipy import stats

from check import Case

warnings.filterwarnings("ignore")


def scipy_tails(d, x, p=None):
    result = {"cdf": d.cdf(x), "sf": d.sf(x)}
    if p is not None:
        result["quantile"] = d.ppf(p)
    return {key: number for key, number in result.items() if number > 1e-290 or key == "quantile"}


def df(random):
    return random.choice([1, 2, 3, random.randint(4, 30), random.randint(30, 2000), round(random.uniform(0.6, 60), 3)])


def distribution(random, name):
    """Parameters, x, and SciPy's object where it has one."""
    if name == "normal":
        return [], random.gauss(0, 4), stats.norm()
    if name == "t":
        v = df(random)
        return [v], random.choice([random.gauss(0, 2), random.gauss(0, 30)]), stats.t(v)
    if name == "F":
        a, b = df(random), df(random)
        return [a, b], random.choice([random.expovariate(1), random.expovariate(0.02)]), stats.f(a, b)
    if name == "chi-square":
        a = df(random)
        return [a], a * random.choice([random.expovariate(1), random.uniform(0.5, 8)]), stats.chi2(a)
    if name == "beta":
        a, b = round(random.expovariate(0.2), 3) + 0.01, round(random.expovariate(0.2), 3) + 0.01
        return [a, b], random.random(), stats.beta(a, b)
    if name == "binomial":
        n, p = random.randint(1, 300), round(random.random(), 4)
        return [n, p], random.randint(0, n), stats.binom(n, p)
    if name == "hypergeometric":
        w, b = random.randint(1, 200), random.randint(1, 200)
        n = random.randint(1, w + b)
        return [w, b, n], random.randint(max(0, n - b), min(n, w)), stats.hypergeom(w + b, w, n)
    raise KeyError(name)


def cases(random, count):
    for name in ("normal", "t", "F", "chi-square", "beta"):
        for _ in range(count // 4):
            parameters, x, d = distribution(random, name)
            p = random.choice([random.random(), 10 ** random.uniform(-8, -1)])
            a = {"distribution": name, "parameters": parameters, "x": x, "p": p}
            yield Case("distribution", a, name.replace("-", ""), (lambda a, d=d: scipy_tails(d, a["x"], a["p"])))
    for name in ("binomial", "hypergeometric"):
        for _ in range(count // 4):
            parameters, x, d = distribution(random, name)
            yield Case("distribution", {"distribution": name, "parameters": parameters, "x": x}, name)
    for _ in range(count // 4):
        v, delta = df(random), random.uniform(-6, 6)
        x = random.gauss(delta, 3)
        # Both libraries lose relative accuracy in far tails of noncentral distributions.
        if v >= 1 and 1e-6 < stats.nct.cdf(x, v, delta) < 1 - 1e-6:
            yield Case("distribution", {"distribution": "noncentral t", "parameters": [v, delta], "x": x}, None,
                       lambda a: scipy_tails(stats.nct(*a["parameters"]), a["x"]))
        a, b, l = random.randint(1, 8), random.randint(3, 200), random.expovariate(0.1)
        x = random.uniform(0.1, 2) * (a + l) / a
        if 1e-6 < stats.ncf.cdf(x, a, b, l) < 1 - 1e-6:
            yield Case("distribution", {"distribution": "noncentral F", "parameters": [a, b, l], "x": x}, None,
                       lambda a: scipy_tails(stats.ncf(*a["parameters"]), a["x"]))
            yield Case("distribution", {"distribution": "noncentral chi", "parameters": [a, l], "x": x * a}, None,
                       lambda a: scipy_tails(stats.ncx2(*a["parameters"]), a["x"]))
    for _ in range(max(4, count // 10)):
        k, v = random.randint(2, 12), random.randint(2, 200)
        x = random.uniform(0.5, 8)
        # SciPy integrates to an absolute error of about 1e-11.
        if stats.studentized_range.sf(x, k, v) > 1e-3:
            yield Case("distribution", {"distribution": "range", "parameters": [k, v], "x": x}, None,
                       lambda a: scipy_tails(stats.studentized_range(*a["parameters"]), a["x"]))
