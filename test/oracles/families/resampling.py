"""Permutation tests, in full and sampled, and the bootstrap, within 4 Monte-Carlo errors."""

import numpy as np
from scipy import stats

from check import Case
from families import data

DRAWN = 20000


def exact(statistic, kind):
    def answer(a):
        samples = a.get("groups") or [a["x"], a["y"]]
        samples = [np.array(s) for s in samples]
        result = {}
        # The two-sided form of ours: at least as far from 0.
        for key, side in (("p.less", "less"), ("p.greater", "greater")):
            result[key] = stats.permutation_test(samples, statistic, permutation_type=kind, alternative=side, n_resamples=np.inf).pvalue
        result["p"] = stats.permutation_test(samples, lambda *s: abs(statistic(*s)), permutation_type=kind,
                                             alternative="greater", n_resamples=np.inf).pvalue
        return result
    return answer


def difference(x, y):
    return np.round(np.mean(x) - np.mean(y), 10)


def mean_of_differences(x, y):
    return np.round(np.mean(np.subtract(x, y)), 10)


def correlation(x, y):
    return np.round(np.corrcoef(x, y)[0, 1], 10)


def first_only(statistic, kind):
    full = exact(statistic, kind)
    return lambda a: {"p": full(a)["p"]}


def f_statistic(*groups):
    return np.round(stats.f_oneway(*groups).statistic, 8)


def groups_p(a):
    return {"p": stats.permutation_test([np.array(g) for g in a["groups"]], f_statistic, permutation_type="independent",
                                        alternative="greater", n_resamples=np.inf).pvalue}


def bootstrap_scipy(a):
    test = stats.bootstrap((a["x"], a["y"]), lambda x, y, axis: np.mean(x, axis) - np.mean(y, axis), confidence_level=.9,
                           n_resamples=20000, method={"bca": "BCa"}.get(a["method"], a["method"]), rng=1)
    return {"ci.low": test.confidence_interval.low, "ci.high": test.confidence_interval.high}


def sampled(answer, name, a):
    """A case whose p-values may be 4 Monte-Carlo errors away from the exact ones."""
    expected = answer(a)
    tolerances = {key: (4 * (p * (1 - p) / DRAWN) ** .5 + 1.5 / DRAWN) / p for key, p in expected.items()}
    return Case(name, a | {"samples": DRAWN}, python=lambda _: expected, tolerances=tolerances)


def cases(random, count):
    for number in range(count):
        x, y = data.groups(random, random.choice([data.tied, data.smooth]), 3, 6, (2, 2))
        two = {"x": x, "y": y}
        if min(x + y) == max(x + y):
            continue
        if number % 2 == 0:
            yield Case("permutation", two, r="permutation")
        else:
            yield Case("permutation", two, python=exact(difference, "independent"))
        n = data.size(random, 3, 8)
        pair = {"x": data.smooth(random, n), "y": data.smooth(random, n, random.choice([0, 1]))}
        yield Case("permutation_paired", pair, python=exact(mean_of_differences, "samples"))
        if number % 4 == 0:
            five = {"x": data.smooth(random, 5), "y": data.smooth(random, 5)}
            yield Case("permutation_corr", five, python=exact(correlation, "pairings"))
            small = {"groups": data.groups(random, data.smooth, 2, 3, (3, 3))}
            yield Case("permutation_f", small, python=groups_p)
            yield sampled(exact(difference, "independent"), "permutation", two)
            yield sampled(exact(mean_of_differences, "samples"), "permutation_paired", pair)
        if number % 4 == 1:
            x, y = data.smooth(random, 30, shape="normal"), data.smooth(random, 25, shape="skewed")
            error = (np.var(x) / 30 + np.var(y) / 25) ** .5
            # A quantile at 5 % of 20000 has an error of sqrt(.05 * .95 / 20000) / .103 standard errors; both sides have it.
            reach = 4 * 2 ** .5 * 0.015 * error
            a = {"x": x, "y": y, "samples": 20000, "method": random.choice(["percentile", "basic", "bca"])}
            expected = bootstrap_scipy(a)
            yield Case("bootstrap", a, python=lambda _, e=expected: e,
                       tolerances={key: reach / max(abs(v), 1e-10) for key, v in expected.items()})
