"""Tests of counts. Odds ratios and their limits are compared with 30-digit arithmetic: R stops at a loose root."""

import math
from fractions import Fraction

import mpmath
import numpy as np
from scipy import optimize, stats

from check import Case
from families import data

mpmath.mp.dps = 30


def table(random, rows=None, columns=None, most=40):
    """No empty row or column."""
    rows, columns = rows or random.randint(2, 4), columns or random.randint(2, 4)
    most = random.choice([3, 10, most])
    while True:
        counts = [[random.randint(0, most) for _ in range(columns)] for _ in range(rows)]
        if all(map(sum, counts)) and all(map(sum, zip(*counts))):
            return {"rows": rows, "columns": columns, "counts": sum(counts, [])}


def matrix(a):
    return np.array(a["counts"]).reshape(a["rows"], a["columns"])


def chi_square_scipy(a):
    test = stats.chi2_contingency(matrix(a), correction=a["yates"] == "capped")
    plain = stats.chi2_contingency(matrix(a), correction=False)
    n, df, x2 = sum(a["counts"]), test.dof, plain.statistic
    scale = n * (min(a["rows"], a["columns"]) - 1)
    result = {"chi-square": test.statistic, "df0": df, "p": test.pvalue,
              "effect.Cramer's V": (x2 / scale) ** 0.5}
    if 0.5 < x2 < 500:
        for end, p in (("low", 0.975), ("high", 0.025)):
            f = lambda ncp: stats.ncx2.cdf(x2, df, ncp) - p
            ncp = 0.0 if stats.chi2.cdf(x2, df) <= p else optimize.brentq(f, 1e-12, 10 * x2 + 100, xtol=1e-13, rtol=1e-13)
            result["effect.Cramer's V." + end] = min(1, (ncp / scale) ** 0.5)
    return result


def g_scipy(a):
    test = stats.chi2_contingency(matrix(a), correction=False, lambda_="log-likelihood")
    return {"G": test.statistic, "p": test.pvalue}


def odds_mpmath(a):
    """Conditional maximum-likelihood odds ratio and exact 95 % limits."""
    x, b, c, d = a["counts"]
    m, n, k = x + c, b + d, x + b
    low, high = max(0, k - n), min(k, m)
    if low == high:
        raise ValueError("only one table")
    whole = [math.comb(m, i) * math.comb(n, k - i) for i in range(low, high + 1)]
    logs = np.array([math.log(w) for w in whole])
    index = np.arange(high - low + 1)

    def rough(f):
        def at(t):
            terms = logs + t * index
            return f(np.exp(terms - terms.max()), index)
        return optimize.brentq(at, -60, 60)

    def exact(f, start):
        def at(t):
            terms = [w * mpmath.exp(t * i) for i, w in enumerate(whole)]
            return f(terms, range(len(terms)))
        return float(mpmath.exp(mpmath.findroot(at, (start, start + 1e-6), tol=1e-25)))

    def root(f):
        return exact(lambda terms, i: f(terms, i, mpmath.fsum), rough(lambda terms, i: f(terms, i, np.sum)))

    place = x - low
    mean = lambda terms, i, total: total([v * (j - place) for j, v in zip(i, terms)]) / total(terms)
    at_least = lambda terms, i, total: total(terms[place:]) / total(terms) - 0.025
    at_most = lambda terms, i, total: 0.025 - total(terms[:place + 1]) / total(terms)
    return {"conditional odds ratio": 0.0 if x == low else np.inf if x == high else root(mean),
            "ci.low": 0.0 if x == low else root(at_least), "ci.high": np.inf if x == high else root(at_most)}


def fisher_integers(a):
    """In whole numbers: the relative accuracy of tiny p-values at large counts."""
    x, b, c, d = a["counts"]
    m, n, k = x + c, b + d, x + b
    low = max(0, k - n)
    weights = [math.comb(m, i) * math.comb(n, k - i) for i in range(low, min(k, m) + 1)]
    total, place = sum(weights), x - low
    bound = weights[place] + weights[place] // 10**7
    share = lambda part: float(Fraction(sum(part), total))
    return {"p": share(w for w in weights if w <= bound), "p.less": share(weights[:place + 1]),
            "p.greater": share(weights[place:])}


def sampled_fisher(samples):
    """The exact p of SciPy's 2 x 2 form, with 4 Monte-Carlo errors of ours as tolerance."""
    return lambda a: {"p": stats.fisher_exact(matrix(a)).pvalue}


def cochran_statsmodels(a):
    from statsmodels.stats.contingency_tables import cochrans_q
    test = cochrans_q(np.array(a["conditions"]).T)
    return {"Q": test.statistic, "p": test.pvalue}


def binomial_scipy(a):
    test = stats.binomtest(a["successes"], a["trials"], a["proportion"])
    wilson = test.proportion_ci(method="wilson")
    return {"effect.proportion.low": wilson.low, "effect.proportion.high": wilson.high}


def sign_scipy(a):
    positive, negative = sum(v > 0 for v in a["x"]), sum(v < 0 for v in a["x"])
    call = lambda side: stats.binomtest(positive, positive + negative, alternative=side).pvalue
    return {"p": call("two-sided"), "p.less": call("less"), "p.greater": call("greater")}


def cases(random, count):
    for _ in range(count):
        a = table(random)
        for yates in ("none", "capped"):
            yield Case("chi_square", a | {"yates": yates}, r="chi_square", python=chi_square_scipy)
        yield Case("g_test", a, python=g_scipy)
        k = random.randint(2, 6)
        shares = [random.randint(1, 9) for _ in range(k)]
        fit = {"counts": [random.randint(0, 30) for _ in range(k)], "proportions": [s / sum(shares) for s in shares]}
        if sum(fit["counts"]):
            yield Case("goodness_of_fit", fit, r="goodness_of_fit")
        four = table(random, 2, 2)
        yield Case("fishers_exact", four, r="fisher", python=odds_mpmath)
        large = {"rows": 2, "columns": 2, "counts": [random.randint(0, 400) for _ in range(4)]}
        yield Case("fishers_exact", large, python=fisher_integers)
        # R's algorithm keeps about 7 digits.
        small = table(random, most=8)
        yield Case("fishers_exact_table", small | {"work": 3e9}, r="fisher_table", tolerances={"p": 2e-6})
        for method in ("exact", "corrected", "uncorrected"):
            if four["counts"][1] + four["counts"][2]:
                yield Case("mcnemar", four | {"method": method}, r="mcnemar")
        answers = [[random.randint(0, 1) for _ in range(random_n)] for random_n in [random.randint(5, 30)]
                   for _ in range(random.randint(2, 5))]
        if any(len(set(row)) > 1 for row in zip(*answers)):
            yield Case("cochran_q", {"conditions": answers}, python=cochran_statsmodels)
        trials = random.choice([5, 20, 100, 2000])
        b = {"successes": random.randint(0, trials), "trials": trials, "proportion": random.choice([.5, .5, .1, .75, .99])}
        yield Case("binomial", b, r="binomial", python=binomial_scipy)
        x = data.tied(random, data.size(random, 2, 30), random.choice([-1, -2, 0]))
        if any(x):
            yield Case("sign", {"x": x}, python=sign_scipy)
    for _ in range(count // 4):
        a = table(random, 2, 2, 10)
        p = stats.fisher_exact(matrix(a)).pvalue
        error = 4 * (p * (1 - p) / 20000) ** 0.5 + 1e-4
        yield Case("fishers_exact_table", a | {"samples": 20000}, python=sampled_fisher(20000), tolerances={"p": error / p})
