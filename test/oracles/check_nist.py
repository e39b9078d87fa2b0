#!/usr/bin/env python3
"""Correct digits on NIST's Statistical Reference Datasets.

  test/oracles/check_nist.py DRIVER

The files come with SciPy (its test data). The regression sets without noise in their definition (Wampler1 to 5, NoInt1,
NoInt2) are generated, and Longley's data read from R; what is certified for these is computed in rational arithmetic.
Sets of lower and average difficulty must have 9 correct digits; of higher difficulty they are reported. The last SmLs
sets have constants of 13 digits, which doubles cannot hold: no more than about 3 digits exist in such data.
"""

import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import scipy.stats

DATA = Path(scipy.stats.__file__).parent / "tests" / "data"
DIGITS = 9
ANOVA_LEVEL = {"SiRstv": "lower", "SmLs01": "lower", "SmLs02": "lower", "SmLs03": "lower", "AtmWtAg": "average",
               "SmLs04": "average", "SmLs05": "average", "SmLs06": "average", "SmLs07": "higher", "SmLs08": "higher",
               "SmLs09": "higher"}
WAMPLER = [759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048,
           -2048, 1838, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 759]


def digits(certified, ours):
    if ours is None or not isinstance(ours, (int, float)):
        return 0.0
    if certified == ours:
        return 15.0
    error = abs(ours - certified) / abs(certified) if certified else abs(ours)
    return min(15.0, -math.log10(error))


def ask(driver, procedure, arguments):
    text = json.dumps({"procedure": procedure, "arguments": arguments}) + "\n"
    return json.loads(subprocess.run([driver], input=text, capture_output=True, text=True, check=True).stdout)


def read_anova(path):
    """Certified F, sums of squares and R squared, and the groups."""
    lines = path.read_text().splitlines()
    first, last = (int(n) for n in re.search(r"Data\s+\(lines (\d+) to (\d+)\)", "\n".join(lines)).groups())
    groups = {}
    for line in lines[first - 1:last]:
        words = line.split()
        if len(words) == 2:
            groups.setdefault(words[0], []).append(float(words[1]))
    table = [line.split() for line in lines if re.match(r"\s*(Between|Within)\b", line)]
    between, within = ([float(w) for w in row if re.match(r"[-+.\d]+(E[-+]?\d+)?$", w)] for row in table)
    r2 = float(re.search(r"Certified R-Squared\s+(\S+)", "\n".join(lines)).group(1))
    return {"F": between[3], "analysis of variance/between/sum of squares": between[1],
            "analysis of variance/within/sum of squares": within[1], "effect.eta squared": r2}, list(groups.values())


def exact_fit(y, columns, intercept):
    """Certified values by rational arithmetic."""
    x = ([[Fraction(1)] * len(y)] if intercept else []) + [[Fraction(v) for v in c] for c in columns]
    y = [Fraction(v) for v in y]
    n, p = len(y), len(x)
    a = [[sum(u * v for u, v in zip(x[i], x[j])) for j in range(p)] + [sum(u * v for u, v in zip(x[i], y))]
         + [Fraction(int(i == j)) for j in range(p)] for i in range(p)]
    for i in range(p):
        pivot = a[i][i]
        a[i] = [v / pivot for v in a[i]]
        for r in range(p):
            if r != i and a[r][i]:
                factor = a[r][i]
                a[r] = [v - factor * w for v, w in zip(a[r], a[i])]
    b = [row[p] for row in a]
    residual = sum((yi - sum(bj * x[j][i] for j, bj in enumerate(b))) ** 2 for i, yi in enumerate(y))
    centre = sum(y) / n if intercept else Fraction(0)
    total = sum((yi - centre) ** 2 for yi in y)
    values = {"R squared": float(1 - residual / total)}
    if residual:
        values["residual standard error"] = math.sqrt(residual / (n - p))
        values["F"] = float((total - residual) / (p - intercept) / (residual / (n - p)))
    names = (["(intercept)"] if intercept else []) + [f"x{i}" for i in range(len(columns))]
    for j, name in enumerate(names):
        values[f"coefficients/{name}/estimate"] = float(b[j])
        if residual:
            values[f"coefficients/{name}/standard error"] = math.sqrt(a[j][p + 1 + j] * residual / (n - p))
    return values


def regression_sets():
    """(name, level, certified, y, columns, intercept)"""
    lines = (DATA / "nist_linregress" / "Norris.dat").read_text().splitlines()
    rows = [line.split() for line in lines[60:96]]
    y, x = ([Fraction(row[i]) for row in rows] for i in (0, 1))
    certified = exact_fit(y, [x], True)
    text = "\n".join(lines)
    for name, key in (("B0", "(intercept)"), ("B1", "x0")):
        b, error = (float(v) for v in re.search(name + r"\s+(-?\d\S+)\s+(\d\S+)", text).groups())
        certified[f"coefficients/{key}/estimate"], certified[f"coefficients/{key}/standard error"] = b, error
    certified["F"] = float(re.search(r"Regression\s+1\s+\S+\s+\S+\s+(\S+)", text).group(1))
    yield "Norris", "lower", certified, y, [x], True
    for name, x, y in (("NoInt1", range(60, 71), range(130, 141)), ("NoInt2", [4, 5, 6], [3, 4, 4])):
        yield name, "average", exact_fit(y, [x], False), y, [x], False
    x = list(range(21))
    columns = [[v ** k for v in x] for k in range(1, 6)]
    ones = [sum(v ** k for k in range(6)) for v in x]
    tenths = [sum(Fraction(v, 10) ** k for k in range(6)) for v in x]
    for name, y in (("Wampler1", ones), ("Wampler2", tenths),
                    ("Wampler3", [v + d for v, d in zip(ones, WAMPLER)]),
                    ("Wampler4", [v + 100 * d for v, d in zip(ones, WAMPLER)]),
                    ("Wampler5", [v + 10000 * d for v, d in zip(ones, WAMPLER)])):
        yield name, "higher", exact_fit(y, columns, True), y, columns, True
    table = subprocess.run(["Rscript", "-e", "write.table(longley, col.names = FALSE, row.names = FALSE)"],
                           capture_output=True, text=True).stdout.split()
    if len(table) == 16 * 7:
        column = [[Fraction(v) for v in table[i::7]] for i in range(7)]
        yield "Longley", "higher", exact_fit(column[6], column[:6], True), column[6], column[:6], True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    driver, good, required = sys.argv[1], 0, 0
    print(f"{'set':<10}{'difficulty':<12}{'correct digits':>15}")

    def report(name, level, certified, reply):
        nonlocal good, required
        fewest = min((digits(number, reply.get(key)), key) for key, number in certified.items())
        print(f"{name:<10}{level:<12}{fewest[0]:>15.1f}  ({fewest[1]})")
        if level != "higher":
            required += 1
            good += fewest[0] >= DIGITS

    for name, level in ANOVA_LEVEL.items():
        certified, groups = read_anova(DATA / "nist_anova" / f"{name}.dat")
        report(name, level, certified, ask(driver, "f_test", {"groups": groups}))
    for name, level, certified, y, columns, intercept in regression_sets():
        predictors = [{"name": f"x{i}", "values": [float(v) for v in c]} for i, c in enumerate(columns)]
        reply = ask(driver, "linear_regression", {"y": [float(v) for v in y], "predictors": predictors, "intercept": intercept})
        report(name, level, certified, reply)
    print(f"check-nist: {good} of {required} sets of lower and average difficulty have {DIGITS} correct digits")
    return 0 if good == required else 1


if __name__ == "__main__":
    sys.exit(main())
