"""Adjusted p-values and comparisons of all pairs. SciPy's studentised range keeps about 8 digits, R's fewer."""

import math

import numpy as np
from scipy import stats

from check import Case
from families import data

METHODS = ["none", "bonferroni", "holm", "hochberg", "BH", "BY"]
RANGE = 1e-6  # relative, of SciPy's integral


def pairs(k):
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


def keyed(groups, function, name="p"):
    return {f"comparisons/{i + 1} - {j + 1}/{name}": function(i, j) for i, j in pairs(len(groups))}


def games_howell(a):
    g = [np.array(v) for v in a["groups"]]
    part = [v.var(ddof=1) / len(v) for v in g]

    def p(i, j):
        df = (part[i] + part[j]) ** 2 / (part[i] ** 2 / (len(g[i]) - 1) + part[j] ** 2 / (len(g[j]) - 1))
        q = abs(g[i].mean() - g[j].mean()) / math.sqrt((part[i] + part[j]) / 2)
        return stats.studentized_range.sf(q, len(g), df)
    return keyed(g, p)


def tukey(a):
    test = stats.tukey_hsd(*a["groups"])
    return keyed(a["groups"], lambda i, j: test.pvalue[i, j])


def nemenyi(a):
    g = a["groups"]
    ranks = stats.rankdata(np.concatenate(g))
    ends = np.cumsum([0] + [len(v) for v in g])
    mean = [ranks[b:e].mean() for b, e in zip(ends, ends[1:])]
    spread = ranks.var(ddof=1)

    def p(i, j):
        error = math.sqrt(spread * (1 / len(g[i]) + 1 / len(g[j])))
        return stats.studentized_range.sf(math.sqrt(2) * abs(mean[i] - mean[j]) / error, len(g), np.inf)
    return keyed(g, p)


def nemenyi_blocks(a):
    m = np.array(a["groups"])
    k, n = m.shape
    mean = stats.rankdata(m, axis=0).mean(axis=1)
    error = math.sqrt(k * (k + 1) / (6 * n))
    return keyed(m, lambda i, j: stats.studentized_range.sf(math.sqrt(2) * abs(mean[i] - mean[j]) / error, k, np.inf))


def loose(k, names, tolerance):
    return {f"comparisons/{i + 1} - {j + 1}/{name}": tolerance for i, j in pairs(k) for name in names}


def near(random, n, shift=0.0, shape=None):
    return data.smooth(random, n, max(-0.5, min(0.5, shift)), "normal")


def cases(random, count):
    for number in range(count):
        method = random.choice(METHODS)
        p = [random.choice([random.random() ** 3, random.random(), None if random.random() < .1 else .5, 1, 0])
             for _ in range(random.randint(1, 12))]
        yield Case("adjust", {"p": ["nan" if v is None else v for v in p], "method": method}, r="adjust")
        g = data.groups(random, low=3, high=15, count=(3, 5))
        a = {"groups": g, "method": method}
        if max(np.ptp(v) for v in g) > 0:
            yield Case("pairwise_t", a, r="pairwise_t")
            yield Case("pairwise_welch", a, r="pairwise_welch")
            yield Case("conover", a, r="conover")
            yield Case("dunn", a, r="dunn")
        n = data.size(random, 4, 15)
        blocks = [data.smooth(random, n, shape="normal") for _ in range(random.randint(3, 5))]
        yield Case("pairwise_paired_t", {"groups": blocks, "method": method}, r="pairwise_paired_t")
        yield Case("conover_blocks", {"groups": blocks, "method": method}, r="conover_blocks")
        quiet = data.groups(random, near, 4, 15, (3, 5), 0.5)
        k = len(quiet)
        # R's ptukey answers to about 1e-10 absolutely, SciPy's integral to 1e-12.
        least = min(tukey({"groups": quiet}).values()) if number % 10 == 0 else 1
        r_only = loose(k, ["p"], 1e-4) | loose(k, ["ci.low", "ci.high"], 1e-5)
        yield Case("tukey_hsd", {"groups": quiet}, r="tukey_hsd", tolerances=r_only)
        yield Case("games_howell", {"groups": quiet}, r="games_howell", tolerances=loose(k, ["p"], 1e-4))
        yield Case("nemenyi", {"groups": quiet}, r="nemenyi", tolerances=loose(k, ["p"], 1e-4))
        yield Case("nemenyi_blocks", {"groups": blocks}, r="nemenyi_blocks", tolerances=loose(len(blocks), ["p"], 1e-4))
        if number % 10 == 0 and least > 1e-5:  # SciPy integrates slowly
            for name, answer, arguments in (("games_howell", games_howell, quiet), ("tukey_hsd", tukey, quiet),
                                            ("nemenyi", nemenyi, g), ("nemenyi_blocks", nemenyi_blocks, blocks)):
                yield Case(name, {"groups": arguments}, python=answer, tolerances=loose(len(arguments), ["p"], RANGE))
