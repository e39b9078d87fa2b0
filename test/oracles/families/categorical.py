"""Tests of counts. Odds ratios and their limits are compared with 30-digit arithmetic: R stops at a loose root."""

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
    weights = [mpmath.binomial(m, i) * mpmath.binomial(n, k - i) for i in range(low, high + 1)]

    def moments(t):
        terms = [w * mpmath.exp(t * i) for i, w in enumerate(weights)]
        total = mpmath.fsum(terms)
        mean = mpmath.fsum(i * v for i, v in enumerate(terms)) / total
        at_most = mpmath.fsum(terms[:x - low + 1]) / total
        at_least = mpmath.fsum(terms[x - low:]) / total
        return mean + low, at_most, at_least

    def root(f):
        left, right = mpmath.mpf(-5), mpmath.mpf(5)
        while f(left) * f(right) > 0:
            left, right = 2 * left, 2 * right
        return float(mpmath.exp(mpmath.findroot(f, (left, right), solver="anderson", tol=1e-20, maxsteps=200)))

    if low == high:
        raise ValueError("only one table")
    tail = mpmath.mpf("0.025")
    return {"conditional odds ratio": 0.0 if x == low else np.inf if x == high else root(lambda t: moments(t)[0] - x),
            "ci.low": 0.0 if x == low else root(lambda t: moments(t)[2] - tail),
            "ci.high": np.inf if x == high else root(lambda t: tail - moments(t)[1])}


def fisher_mpmath(a):
    """Relative accuracy of tiny p-values at large counts."""
    x, b, c, d = a["counts"]
    m, n, k = x + c, b + d, x + b
    total = mpmath.binomial(m + n, k)
    p = {i: mpmath.binomial(m, i) * mpmath.binomial(n, k - i) / total for i in range(max(0, k - n), min(k, m) + 1)}
    bound = p[x] * (1 + mpmath.mpf("1e-7"))
    return {"p": mpmath.fsum(v for v in p.values() if v <= bound), "p.less": mpmath.fsum(v for i, v in p.items() if i <= x),
            "p.greater": mpmath.fsum(v for i, v in p.items() if i >= x)}


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
        yield Case("fishers_exact", large, python=fisher_mpmath)
        # R's algorithm keeps about 7 digits.
        small = table(random, most=8)
        yield Case("fishers_exact_table", small, r="fisher_table", tolerances={"p": 2e-6})
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
