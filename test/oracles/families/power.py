"""Power from noncentral distributions, and sample sizes."""

from scipy import stats

from check import Case


def anova(a):
    df1, df2 = a["k"] - 1, a["k"] * (a["n"] - 1)
    return {"power": stats.ncf.sf(stats.f.isf(a["alpha"], df1, df2), df1, df2, a["f"] ** 2 * a["n"] * a["k"])}


def chisq(a):
    return {"power": stats.ncx2.sf(stats.chi2.isf(a["alpha"], a["df"]), a["df"], a["w"] ** 2 * a["n"])}


def cases(random, count):
    for _ in range(count):
        common = {"alpha": random.choice([.05, .05, .01, .1]), "n": random.randint(5, 150), "m": random.randint(5, 150),
                  "alternative": random.choice(["two-sided", "less", "greater"])}
        d = round(random.uniform(0, 1.2) * (-1 if common["alternative"] == "less" else 1), 3)
        # R's noncentral t answers to about 1e-12 absolutely, its noncentral beta to 1e-8.
        yield Case("power_t1", common | {"d": d}, r="power_t1", tolerances={"power": 1e-7})
        yield Case("power_t2", common | {"d": d}, r="power_t2", tolerances={"power": 1e-7})
        f = common | {"f": abs(d) / 2, "k": random.randint(2, 7)}
        yield Case("power_anova", f, r="power_anova", tolerances={"power": 1e-6})
        yield Case("power_anova", f, python=anova)
        yield Case("power_chisq", common | {"w": abs(d) / 2, "df": random.randint(1, 12)}, r="power_chisq", python=chisq)
        yield Case("power_r", common | {"r": round(random.uniform(-.9, .9), 3)}, r="power_r")
        yield Case("power_proportions", common | {"p1": round(random.random(), 3), "p2": round(random.random(), 3)},
                   r="power_proportions")
        yield Case("size_t2", {"d": round(random.uniform(.2, 1), 3), "alpha": .05, "power": random.choice([.8, .9, .95])},
                   r="size_t2", tolerances={"power": 1e-6})
