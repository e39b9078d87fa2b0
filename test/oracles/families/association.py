"""Correlations. Exact p-values with ties are compared with all permutations."""

import itertools

import numpy as np
from scipy import stats

from check import Case
from families import data


def enumerated(statistic):
    def answer(a):
        x, y = np.array(a["x"]), np.array(a["y"])
        values = np.array([statistic(x, np.array(p)) for p in itertools.permutations(y)])
        observed = statistic(x, y)
        less, greater = (values <= observed + 1e-9).mean(), (values >= observed - 1e-9).mean()
        return {"p.less": less, "p.greater": greater, "p": min(1, 2 * min(less, greater))}
    return answer


def of_ranks(x, y):
    return stats.rankdata(x) @ stats.rankdata(y)


def concordance(x, y):
    return np.sum(np.sign(x[:, None] - x) * np.sign(y[:, None] - y)) / 2


def spearman_scipy(a):
    call = lambda alternative: stats.spearmanr(a["x"], a["y"], alternative=alternative)
    both = call("two-sided")
    return {"rho": both.statistic, "p": both.pvalue, "p.less": call("less").pvalue, "p.greater": call("greater").pvalue}


def kendall_scipy(a):
    method = "asymptotic" if a.get("asymptotic") else "auto"
    call = lambda alternative: stats.kendalltau(a["x"], a["y"], alternative=alternative, method=method)
    both = call("two-sided")
    return {"tau": both.statistic, "p": both.pvalue, "p.less": call("less").pvalue, "p.greater": call("greater").pvalue}


def kendall_exact(a):
    call = lambda alternative: stats.kendalltau(a["x"], a["y"], alternative=alternative, method="exact").pvalue
    return {"p": call("two-sided"), "p.less": call("less"), "p.greater": call("greater")}


def pearson_scipy(a):
    call = lambda alternative: stats.pearsonr(a["x"], a["y"], alternative=alternative)
    both = call("two-sided")
    low, high = both.confidence_interval()
    return {"r": both.statistic, "p": both.pvalue, "p.less": call("less").pvalue, "p.greater": call("greater").pvalue,
            "ci.low": low, "ci.high": high}


def related(random, make, low, high):
    """Two columns with some correlation."""
    n, kind, strength = data.size(random, low, high), data.shape(random), random.choice([0, 0.5, 1, 3])
    while True:
        x = data.varied(make, random, n, 0.0, kind if make is data.sample else None)
        y = data.varied(make, random, n, 0.0, kind if make is data.sample else None)
        step = 1 / 8 if make is data.tied or kind == "tied" else 1e-6
        y = [round((v + strength * random.choice([-1, 1, 1]) * u) / step) * step for u, v in zip(x, y)]
        if min(y) < max(y) and abs(np.corrcoef(x, y)[0, 1]) < 1 - 1e-6:
            return {"x": x, "y": y}


def cases(random, count):
    for _ in range(count):
        a = related(random, data.sample, 5, 40)
        # No correlation is 0 but for roundoff of either side.
        nothing = abs(np.corrcoef(a["x"], a["y"])[0, 1]) < 1e-10
        yield Case("pearson_corr", a, r="pearson", python=pearson_scipy,
                   tolerances={"r": 1e-4, "t": 1e-4} if nothing else {})
        x, y = data.groups(random, low=3, high=30, count=(2, 2))
        if min(x + y) < max(x + y):
            yield Case("pointbiserial_corr", {"x": x, "y": y}, r="pointbiserial")
        b = related(random, data.smooth, 8, 40)
        b["z"] = [data.smooth(random, len(b["x"])) for _ in range(random.randint(1, 3))]
        yield Case("partial_corr", b, r="partial")
        for sample in (data.smooth, data.sample):
            c = related(random, sample, 4, 60)
            yield Case("spearman_corr", c | {"conventions": "R-4.2"}, r="spearman")
            yield Case("spearman_corr", c | {"conventions": "SciPy"}, python=spearman_scipy)
            # R's exact tail is 1 minus the other one: about 1e-16 absolutely.
            untied = len(set(c["x"])) == len(c["x"]) and len(set(c["y"])) == len(c["y"])
            loose = {key: 1e-4 for key in ("p", "p.less", "p.greater")} if untied and len(c["x"]) < 50 else {}
            yield Case("kendalltau_corr", c | {"conventions": "R-4.2", "continuity": False}, r="kendall", tolerances=loose)
            if untied:
                yield Case("kendalltau_corr", c | {"exact": True}, python=kendall_exact)
            yield Case("kendalltau_corr", c | {"conventions": "SciPy", "asymptotic": True}, python=kendall_scipy)
        c = related(random, data.tied, 4, 60)
        if len(set(c["x"])) < len(c["x"]):
            yield Case("kendalltau_corr", c | {"conventions": "R-4.2", "continuity": True}, r="kendall")
    for _ in range(count // 4):
        a = related(random, random.choice([data.tied, data.smooth]), 4, 6) | {"exact": True}
        yield Case("spearman_corr", a, python=enumerated(of_ranks))
        yield Case("kendalltau_corr", a, python=enumerated(concordance))
