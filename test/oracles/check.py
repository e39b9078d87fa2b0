#!/usr/bin/env python3
"""Compares every statistical procedure with R and SciPy on random data.

  test/oracles/check.py DRIVER [--cases N] [--family NAME] [--seed S] [--verbose]
  test/oracles/check.py DRIVER --record     write reference/*.jsonl, the numbers that `make test` compares with

A family is families/NAME.py with `cases(random, count)`, which yields Case objects, and perhaps families/NAME.R. The
oracle's numbers carry the driver's keys (Registry.h); every number that an oracle gives is compared.
"""

import argparse
import importlib
import json
import math
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
TOLERANCE = 1e-8
FLOOR = 1e-10  # differences below it, times the tolerance, are roundoff of zero
# Effects that are zero on paper: what roundoff leaves of them differs.
FLOORS = {"effect.partial eta squared": 1e-6, "effect.partial omega squared": 1e-6, "sum of squares": 1e-4, "F": 1e-5, "t": 1e-5, "S": 1e-6}
RECORDED = 6   # cases of each procedure and oracle in reference/


@dataclass
class Case:
    procedure: str
    arguments: dict
    r: str = None               # the function in families/NAME.R that answers
    python: object = None       # a function of the arguments that returns the numbers
    tolerances: dict = field(default_factory=dict)  # by key, where an oracle itself is looser
    r_arguments: dict = None    # instead of `arguments`, where the names differ


def ask(command, requests):
    """One line of JSON to and from a program for each request."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or len(lines) != len(requests):
        sys.exit(f"{command[0]} answered {len(lines)} of {len(requests)} requests:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in lines]


def value(x):
    return float(x) if isinstance(x, (int, float)) or str(x).lower() in ("inf", "-inf", "nan", "infinity", "-infinity") else x


def error_of(expected, actual, key=""):
    """Relative error; infinite when one of them is missing or of another kind."""
    if actual is None:
        return math.inf
    expected, actual = value(expected), value(actual)
    if not isinstance(expected, float) or not isinstance(actual, float):
        return 0.0 if expected == actual else math.inf
    if expected == actual or (math.isnan(expected) and math.isnan(actual)):
        return 0.0
    if math.isinf(expected) or math.isinf(actual) or math.isnan(expected) or math.isnan(actual):
        return math.inf
    return abs(expected - actual) / max(abs(expected), FLOORS.get(key.split("/")[-1], FLOOR))


class Tally:
    def __init__(self):
        self.compared = self.agreed = self.skipped = 0
        self.worst = 0.0
        self.examples = []


def compare(case, oracle, expected, actual, tally):
    if "error" in expected:
        tally.skipped += 1
        return False
    tally.compared += 1
    good = True
    for key, number in expected.items():
        error = error_of(number, actual.get(key), key)
        tolerance = case.tolerances.get(key, TOLERANCE)
        if error <= tolerance:
            tally.worst = max(tally.worst, error if tolerance == TOLERANCE else 0.0)
        else:
            good = False
            tally.examples.append(f"{oracle} {key}: {number} and ours {actual.get(key)} ({error:.1e}) "
                                  f"for {json.dumps(case.arguments)[:1500]}")
    tally.agreed += good
    return good


def answers_of(name, cases, driver, rscript):
    """(case, oracle, expected, ours) for everything in a family."""
    ours = ask([driver], [{"procedure": c.procedure, "arguments": c.arguments} for c in cases])
    result = []
    with_r = [i for i, case in enumerate(cases) if case.r]
    if with_r:
        requests = [{"procedure": cases[i].r, "arguments": cases[i].r_arguments or cases[i].arguments} for i in with_r]
        for i, reply in zip(with_r, ask([rscript, str(HERE / "oracle.R"), str(HERE / "families" / f"{name}.R")], requests)):
            result.append((cases[i], "R", reply, ours[i]))
    for i, case in enumerate(cases):
        if case.python:
            try:
                expected = {key: float(number) for key, number in case.python(case.arguments).items()}
            except (ValueError, ZeroDivisionError) as problem:
                expected = {"error": str(problem)}
            result.append((case, "SciPy", expected, ours[i]))
    return result


def versions(rscript):
    import scipy
    r = subprocess.run([rscript, "-e", "cat(R.version$major, R.version$minor, sep='.')"],
                       capture_output=True, text=True).stdout
    return {"R": f"R {r}", "SciPy": f"SciPy {scipy.__version__}"}


def record(name, answers, sources):
    """The first cases of each procedure and oracle on which both agree."""
    count = defaultdict(int)
    with open(HERE / "reference" / f"{name}.jsonl", "w") as out:
        for case, oracle, expected, actual in answers:
            key = (case.procedure, oracle)
            if count[key] >= RECORDED or len(json.dumps(case.arguments)) > 1500:
                continue
            if not compare(case, oracle, expected, actual, Tally()):
                continue
            count[key] += 1
            out.write(json.dumps({"procedure": case.procedure, "arguments": case.arguments, "expected": expected,
                                  "tolerances": case.tolerances, "source": sources[oracle]}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver")
    parser.add_argument("--cases", type=int, default=400, help="comparisons of each procedure, at least")
    parser.add_argument("--family", action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    rscript = shutil.which("Rscript") or sys.exit("Rscript was not found: scripts/install-deps.sh --oracles installs it")
    names = arguments.family or sorted(path.stem for path in (HERE / "families").glob("*.py") if path.stem != "data")
    sources = versions(rscript)
    print("compared with " + ", ".join(sources.values()))
    print(f"{'family':<14}{'procedure':<26}{'compared':>9}{'agreed':>8}{'skipped':>8}{'worst error':>13}")
    compared = agreed = 0
    for name in names:
        start = time.monotonic()
        family = importlib.import_module(f"families.{name}")
        cases = list(family.cases(random.Random(f"{name} {arguments.seed}"), arguments.cases))
        answers = answers_of(name, cases, arguments.driver, rscript)
        if arguments.record:
            record(name, answers, sources)
        tallies = defaultdict(Tally)
        for case, oracle, expected, actual in answers:
            compare(case, oracle, expected, actual, tallies[case.procedure])
        for procedure, tally in tallies.items():
            print(f"{name:<14}{procedure:<26}{tally.compared:>9}{tally.agreed:>8}{tally.skipped:>8}{tally.worst:>13.1e}")
            for example in tally.examples[:40 if arguments.verbose else 3]:
                print("    " + example)
            compared += tally.compared
            agreed += tally.agreed
        print(f"  {name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    print(f"check-oracles: {agreed} of {compared}")
    return 0 if agreed == compared else 1


if __name__ == "__main__":
    sys.exit(main())
