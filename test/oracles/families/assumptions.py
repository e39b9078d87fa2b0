"""Checks of normality and of equal variances."""

import warnings

from scipy import stats

from check import Case
from families import data

warnings.filterwarnings("ignore")


def shapiro_scipy(a):
    r = stats.shapiro(a["x"])
    return {"W": r.statistic, "p": r.pvalue}


def levene_scipy(a):
    r = stats.levene(*a["groups"], center=a["centre"])
    return {"F": r.statistic, "p": r.pvalue}


def bartlett_scipy(a):
    r = stats.bartlett(*a["groups"])
    return {"K squared": r.statistic, "p": r.pvalue}


def fligner_scipy(a):
    r = stats.fligner(*a["groups"], center="median")
    return {"chi-square": r.statistic, "p": r.pvalue}


def cases(random, count):
    half = (count + 1) // 2
    for i in range(half):
        n = random.choice([3, 4, 5, 6, 11, 12, random.randint(3, 60), random.randint(60, 2000 if i % 20 == 0 else 100)])
        a = {"x": data.varied(data.sample, random, n, 0.0, data.shape(random))}
        yield Case("shapiro_wilk", a, "shapiro_wilk")
        # SciPy takes normal quantiles in single precision.
        yield Case("shapiro_wilk", a, None, shapiro_scipy, {"W": 1e-7, "p": 1e-5})
        centre = random.choice(["mean", "median", "trimmed"])
        yield Case("levene", {"groups": data.groups(random, low=3), "centre": centre}, "levene",
                   levene_scipy if centre != "trimmed" else None)
        if centre == "trimmed":
            yield Case("levene", {"groups": data.groups(random, low=3), "centre": "median"}, None, levene_scipy)
        yield Case("bartlett", {"groups": data.groups(random, low=3)}, "bartlett", bartlett_scipy)
        yield Case("fligner_killeen", {"groups": data.groups(random, data.tied, low=3)}, "fligner_killeen", fligner_scipy)
