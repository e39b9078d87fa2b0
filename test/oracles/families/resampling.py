"""Permutation tests, in full and sampled, and the bootstrap, within 4 Monte-Carlo errors."""

import itertools

import numpy as np
from scipy import stats

from check import Case
from families import data

DRAWN = 20000


def shares(values, observed, magnitude):
    """p-values of a statistic over all its values, the observed one among them."""
    slack = 1e-10 * magnitude
    return {"p.less": (values <= observed + slack).mean(), "p.greater": (values >= observed - slack).mean(),
            "p": (np.abs(values) >= abs(observed) - slack).mean()}


def two_groups(a):
    pooled = np.array(a["x"] + a["y"]) - np.mean(a["x"] + a["y"])
    n, m = len(a["x"]), len(a["y"])
    chosen = np.array(list(itertools.combinations(range(n + m), n)))
    sums = pooled[chosen].sum(axis=1)
    return shares(sums * (1 / n + 1 / m), pooled[:n].sum() * (1 / n + 1 / m), np.abs(pooled).max())


def pairs(a):
    d = np.subtract(a["x"], a["y"])
    signs = np.array(list(itertools.product([-1, 1], repeat=len(d))))
    return shares(signs @ d, d.sum(), np.abs(d).sum())


def correlation(a):
    x, y = (np.array(v) - np.mean(v) for v in (a["x"], a["y"]))
    scale = np.sqrt((x @ x) * (y @ y))
    return shares(np.array(list(itertools.permutations(y))) @ x / scale, x @ y / scale, 1)


def several_groups(a):
    pooled = np.concatenate(a["groups"])
    pooled = pooled - pooled.mean()
    sizes = [len(g) for g in a["groups"]]
    ends = np.cumsum([0] + sizes)
    orders = pooled[np.array(list(itertools.permutations(range(len(pooled)))))]
    between = sum(orders[:, b:e].sum(axis=1) ** 2 / (e - b) for b, e in zip(ends, ends[1:]))
    return {"p": shares(between, between[0], pooled @ pooled)["p.greater"]}


def two_groups_scipy(a):
    test = stats.permutation_test([np.array(a["x"]), np.array(a["y"])],
                                  lambda x, y, axis: np.round(np.mean(x, axis) - np.mean(y, axis), 9),
                                  vectorized=True, alternative="less", n_resamples=np.inf)
    return {"p.less": test.pvalue}


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
        yield Case("permutation", two, r="permutation", python=two_groups if number % 2 else two_groups_scipy)
        n = data.size(random, 3, 9)
        pair = {"x": data.smooth(random, n), "y": data.smooth(random, n, random.choice([0, 1]))}
        yield Case("permutation_paired", pair, python=pairs)
        n = data.size(random, 3, 7)
        yield Case("permutation_corr", {"x": data.smooth(random, n), "y": data.smooth(random, n)}, python=correlation)
        yield Case("permutation_f", {"groups": data.groups(random, data.smooth, 2, 3, (2, 3))}, python=several_groups)
        if number % 4 == 0:
            yield sampled(two_groups, "permutation", two)
            yield sampled(pairs, "permutation_paired", pair)
        x, y = data.smooth(random, 30, shape="normal"), data.smooth(random, 25, shape="skewed")
        error = (np.var(x) / 30 + np.var(y) / 25) ** .5
        # A quantile at 5 % of 20000 has an error of sqrt(.05 * .95 / 20000) / .103 standard errors; both sides have it.
        a = {"x": x, "y": y, "samples": DRAWN, "method": random.choice(["percentile", "basic", "bca"])}
        # BCa takes its bias from the share of resamples below the value, whose normal quantile has an error of
        # sqrt(.25 / 20000) / .399; it moves both limits by twice that, and skewness moves them where resamples are rare.
        reach = 4 * 2 ** .5 * (0.03 if a["method"] == "bca" else 0.015) * error
        expected = bootstrap_scipy(a)
        yield Case("bootstrap", a, python=lambda _, e=expected: e,
                   tolerances={key: reach / max(abs(v), 1e-10) for key, v in expected.items()})
