#!/usr/bin/env python3
"""Compares the compiled magika model with ONNX Runtime over the files of files.txt.

    check.py [--build BUILD] [--list FILE]

For each file: the program's features equal the ones of reference.py, and its label is the same and its score within
1e-4 of ONNX Runtime's. Files whose score single precision cannot tell to 5e-5 (the list's last column; exact.py
says why) are no measure for 1e-4: there the label must be the same and the score within 1e-4 and eight times that
spread; they are reported apart and not counted.

Last line: `magika: P of N files, L labels, max score difference D`. Exit 1 unless P = N, N >= 300, L >= 40 and the
files apart hold as well. A file that its package no longer has, or has with other contents, is named and not counted.
"""

import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys

import numpy
import packages
import reference

TOLERANCE = 1e-4
STEADY_SPREAD = 5e-5
MIN_FILES, MIN_LABELS = 300, 40
ROOT = pathlib.Path(__file__).resolve().parents[3]

Row = collections.namedtuple("Row", "package path label score spread file")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--list", type=pathlib.Path, default=pathlib.Path(__file__).parent / "files.txt")
    return parser.parse_args()


def read_list(path, cache):
    """The rows whose files exist. Names packages that cannot be had and files that have vanished."""
    rows, missing = [], 0
    folders = {}
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        package, name, label, score, spread = line.split()
        if package not in folders:
            try:
                folders[package] = packages.unpack(package, cache)
            except packages.Missing as error:
                print(f"MISSING {error}")
                folders[package] = None
        file = folders[package] / name if folders[package] else None
        if file and file.is_file():
            rows.append(Row(package, name, label, float(score), float(spread), file))
        else:
            missing += 1
            if folders[package]:
                print(f"VANISHED {package} {name}: not in the package's present version")
    return rows, missing


def run_magika(build, *arguments):
    command = [build / "bin" / "magika", "--config", build / "wheels/magika/magika", *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    print(result.stderr, end="")
    if result.returncode not in (0, 2):  # 2: some file has no answer, which is found below
        raise SystemExit(f"{command[0]}: exit {result.returncode}")
    return result.stdout


def check_features(build, model, rows):
    """True where the program reads the same tokens as reference.py."""
    lines = run_magika(build, "--features", "--", *(row.file for row in rows)).splitlines()
    answers = {answer["path"]: answer for answer in map(json.loads, lines)}
    equal = []
    for row in rows:
        tokens = answers.get(str(row.file), {}).get("features")
        expected = model.features(row.file)
        same = (tokens is None) == (expected is None)
        equal.append(same and (tokens is None or numpy.array_equal(tokens, expected)))
        if not equal[-1]:
            print(f"FEATURES {row.package} {row.path}: differ")
    return equal


class Tally:
    """Counts of the comparison, of the steady files and of those apart."""

    def __init__(self):
        self.counted = self.passed = self.apart = self.apart_passed = 0
        self.difference = self.apart_difference = 0.0
        self.labels = set()

    def add(self, row, features_equal, answer, expected):
        label, said, score = expected
        answer = answer or {"label": "no answer", "model_label": None, "score": math.inf}
        difference = abs(answer["score"] - score)
        steady = row.spread <= STEADY_SPREAD
        allowed = TOLERANCE if steady else TOLERANCE + 8 * row.spread
        same = (answer["model_label"], answer["label"]) == (label, said)
        good = features_equal and same and difference <= allowed
        if steady:
            self.counted += 1
            self.passed += good
            self.difference = max(self.difference, difference)
            self.labels.update([said] if good else [])
        else:
            self.apart += 1
            self.apart_passed += good
            self.apart_difference = max(self.apart_difference, difference)
        if not good:
            print(
                f"DIFFERS {row.package} {row.path}: {answer['label']} ({answer['model_label']}) "
                f"{answer['score']:.6f}, ONNX Runtime {said} ({label}) {score:.6f}, allowed {allowed:.1e}"
            )

    def report(self):
        """Prints the two closing lines; True when all is well."""
        print(
            f"apart: single precision is not steady for {self.apart} files; {self.apart_passed} of them agree, "
            f"max score difference {self.apart_difference:.1e}"
        )
        print(
            f"magika: {self.passed} of {self.counted} files, {len(self.labels)} labels, "
            f"max score difference {self.difference:.1e}"
        )
        enough = self.counted >= MIN_FILES and len(self.labels) >= MIN_LABELS
        return enough and self.passed == self.counted and self.apart_passed == self.apart


def main():
    options = parse_arguments()
    build = options.build.resolve()
    subprocess.run([ROOT / "examples/magika/compile-model", build], check=True)
    rows, missing = read_list(options.list, build / "debian-files")
    model = reference.Reference(build / "wheels/magika/magika")
    equal = check_features(build, model, rows)
    output = run_magika(build, "--model", build / "models/magika.imx", "--json", "--", *(r.file for r in rows))
    answers = {answer["path"]: answer for answer in json.loads(output or "[]")}
    tally, changed = Tally(), 0
    for row, same in zip(rows, equal):
        tokens = model.features(row.file)
        expected = None if tokens is None else model.decide(model.scores(tokens))
        if not expected or expected[1] != row.label or abs(expected[2] - row.score) > 1e-3:
            print(f"CHANGED {row.package} {row.path}: no longer {row.label} {row.score}")
            changed += 1
        else:
            tally.add(row, same, answers.get(str(row.file)), expected)
    print(f"list: {len(rows) + missing} files, {missing} missing, {changed} changed since it was made")
    return 0 if tally.report() else 1


if __name__ == "__main__":
    sys.exit(main())
