"""One, two and paired groups."""

import math
import warnings
from collections import Counter
from fractions import Fraction

from scipy import optimize, stats

from check import Case
from families import data


warnings.filterwarnings("ignore")  # SciPy on ties, small samples and separated groups


def t_scipy(test):
    def answer(a):
        x, y = a["x"], a.get("y")
        call = {"one": lambda alternative: stats.ttest_1samp(x, a["mu"], alternative=alternative),
                "student": lambda alternative: stats.ttest_ind(x, y, alternative=alternative),
                "welch": lambda alternative: stats.ttest_ind(x, y, equal_var=False, alternative=alternative),
                "paired": lambda alternative: stats.ttest_rel(x, y, alternative=alternative)}[test]
        both = call("two-sided")
        interval = both.confidence_interval(0.95)
        return {"t": both.statistic, "p": both.pvalue, "df0": both.df, "p.less": call("less").pvalue,
                "p.greater": call("greater").pvalue, "ci.low": interval.low, "ci.high": interval.high}
    return answer


def noncentral(unit, effect):
    """Cohen's d by inverting the noncentral t distribution."""
    def answer(a):
        x, y = a["x"], a.get("y")
        r = stats.ttest_ind(x, y) if unit == "two" else stats.ttest_rel(x, y)
        scale = math.sqrt(1 / len(x) + 1 / len(y)) if unit == "two" else math.sqrt(1 / len(x))
        width = 10 + 10 * math.sqrt(1 + r.statistic ** 2 / (2 * r.df))
        if abs(r.statistic) > 30:
            raise ValueError("out of SciPy's reach")
        ends = r.statistic - width, r.statistic + width
        low = optimize.brentq(lambda d: stats.nct.sf(r.statistic, r.df, d) - 0.025, *ends, xtol=1e-13, rtol=1e-13)
        high = optimize.brentq(lambda d: stats.nct.cdf(r.statistic, r.df, d) - 0.025, *ends, xtol=1e-13, rtol=1e-13)
        correction = math.exp(math.lgamma(r.df / 2) - math.lgamma((r.df - 1) / 2)) / math.sqrt(r.df / 2)
        hedges = "Hedges' g" + ("_z" if unit == "pairs" else "")
        return {f"effect.{effect}": r.statistic * scale, f"effect.{effect}.low": low * scale,
                f"effect.{effect}.high": high * scale, f"effect.{hedges}": r.statistic * scale * correction}
    return answer


def mann_whitney_scipy(a):
    call = lambda alternative: stats.mannwhitneyu(a["x"], a["y"], alternative=alternative)
    both = call("two-sided")
    return {"U": both.statistic, "p": both.pvalue, "p.less": call("less").pvalue, "p.greater": call("greater").pvalue}


def wilcoxon_scipy(a):
    zeros = {"wilcox": "wilcox", "pratt": "pratt", "zsplit": "zsplit"}[a["zeros"]]
    method = "exact" if a["exact"] else "asymptotic"
    call = lambda alternative: stats.wilcoxon(a["x"], a["y"], zero_method=zeros, correction=a["correct"],
                                              alternative=alternative, method=method)
    less, greater = call("less"), call("greater")
    return {"V": less.statistic, "p": call("two-sided").pvalue, "p.less": less.pvalue, "p.greater": greater.pvalue}


# R looks for the ends of an asymptotic interval with a loose root finder; the ends are order statistics of all
# differences (or Walsh averages), found here by sorting them as exact fractions.

def ends(values, deviation, level=0.95):
    """The interval that leaves out differences until the corrected z reaches its quantile."""
    values.sort()
    centre = Fraction(len(values), 2)
    order = max(1, math.ceil(float(centre) - 0.5 - stats.norm.isf((1 - level) / 2) * deviation))
    middle = values[len(values) // 2] if len(values) % 2 else (values[len(values) // 2 - 1] + values[len(values) // 2]) / 2
    return {"estimate": middle, "ci.low": values[order - 1], "ci.high": values[-order]}


def ties_of(values):
    return sum(n ** 3 - n for n in Counter(values).values())


def hodges_lehmann_two(a):
    x, y = ([Fraction(v) for v in a[name]] for name in ("x", "y"))
    m, n = len(x), len(y)
    size = m + n
    deviation = math.sqrt(m * n / 12 * (size + 1 - (ties_of(x) + ties_of(y)) / (size * (size - 1))))
    return ends([u - v for u in x for v in y], deviation)


def hodges_lehmann_pairs(a):
    d = [Fraction(u) - Fraction(v) for u, v in zip(a["x"], a["y"])]
    d = [v for v in d if v] if a["zeros"] == "wilcox" else d
    n = len(d)
    return ends([(d[i] + d[j]) / 2 for i in range(n) for j in range(i, n)], math.sqrt(n * (n + 1) * (2 * n + 1) / 24))


def brunner_munzel_scipy(a):
    call = lambda alternative: stats.brunnermunzel(a["x"], a["y"], alternative=alternative)
    both = call("two-sided")
    if not math.isfinite(both.statistic):
        raise ValueError("separated")
    # SciPy's statistic is positive when y is larger; its alternatives speak of x.
    return {"t": -both.statistic, "p": both.pvalue, "p.less": call("less").pvalue, "p.greater": call("greater").pvalue}


LOOSE = {"ci.low": 3e-3, "ci.high": 3e-3}


def two(random, make=data.sample, low=2, high=40, spread=1.0):
    x, y = data.groups(random, make, low, high, (2, 2), spread)
    return {"x": x, "y": y}


def pairs(random, make=data.sample, low=2, high=40):
    n, kind = data.size(random, low, high), data.shape(random)
    while True:
        x = data.varied(make, random, n, 0.0, kind if make is data.sample else None)
        y = [v + e for v, e in zip(x, data.tied(random, n, random.gauss(0, 0.3)))]
        if len({a - b for a, b in zip(x, y)}) > 1:
            return {"x": x, "y": y}


def cases(random, count):
    half = (count + 1) // 2
    for _ in range(half):
        yield Case("one_sample_t", {"x": data.varied(data.sample, random, data.size(random), 0.0, data.shape(random)),
                                    "mu": round(random.gauss(0, 1), 2)}, "one_sample_t", t_scipy("one"))
        yield Case("students_t", two(random), "students_t", t_scipy("student"))
        yield Case("welchs_t", two(random), "welchs_t", t_scipy("welch"))
        yield Case("paired_students_t", pairs(random), "paired_students_t", t_scipy("paired"))
    for _ in range(max(1, half // 4)):
        yield Case("students_t", two(random, low=3), None, noncentral("two", "Cohen's d"))
        yield Case("paired_students_t", pairs(random, low=3), None, noncentral("pairs", "Cohen's d_z"))
    quarter = (count + 3) // 4
    for _ in range(quarter):
        a = two(random) | {"conventions": "R-4.2"}
        yield Case("mannwhitney_u", a, "mannwhitney")
        yield Case("mannwhitney_u", two(random) | {"conventions": "SciPy"}, None, mann_whitney_scipy)
        yield Case("mannwhitney_u", two(random, data.tied, high=25) | {"exact": True, "distance": True}, "mannwhitney_coin")
        yield Case("mannwhitney_u", two(random, data.tied, high=25) | {"exact": True, "distance": True}, "mannwhitney_exact")
        yield Case("mannwhitney_u", two(random, data.smooth, low=3, high=15) | {"exact": True}, "mannwhitney_interval")
        a = two(random, data.tied, high=30) | {"exact": False}
        yield Case("mannwhitney_u", a, None, hodges_lehmann_two)
        yield Case("mannwhitney_u", a, "mannwhitney_loose", None, LOOSE)
    for _ in range(quarter):
        a = pairs(random, data.tied, low=6, high=30) | {"exact": False, "zeros": random.choice(["wilcox", "pratt"])}
        yield Case("wilcoxon_signed_rank", a, None, hodges_lehmann_pairs)
        yield Case("wilcoxon_signed_rank", pairs(random, data.tied) | {"conventions": "R-4.2"}, "wilcoxon")
        for zeros in ("wilcox", "pratt", "zsplit"):
            a = pairs(random, data.tied, low=4) | {"zeros": zeros, "exact": False, "correct": random.random() < 0.5}
            yield Case("wilcoxon_signed_rank", a, None, wilcoxon_scipy)
        yield Case("wilcoxon_signed_rank", pairs(random, data.tied, high=30) | {"zeros": "wilcox", "exact": True},
                   "wilcoxon_exact")
        yield Case("wilcoxon_signed_rank", pairs(random, data.tied, high=30) | {"zeros": "pratt", "exact": True},
                   "wilcoxon_coin")
    for _ in range(half):
        yield Case("one_sample_wilcoxon", {"x": data.varied(data.smooth, random, data.size(random, 3, 30)),
                                           "exact": True}, "one_sample_wilcoxon")
        yield Case("one_sample_wilcoxon", {"x": data.varied(data.tied, random, data.size(random, 3, 40), -0.5),
                                           "conventions": "R-4.2"}, "one_sample_wilcoxon_default")
    for _ in range(count + count // 5):  # some are separated, and SciPy has no answer
        yield Case("brunner_munzel", two(random, low=4, spread=0.4), None, brunner_munzel_scipy)
