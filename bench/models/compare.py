#!/usr/bin/env python3
"""Real models against other engines: are the outputs the same, and how fast is each?

    compare.py check --build BUILD [--models FOLDER] [--inputs 20] [--only NAME]
    compare.py bench --build BUILD [--models FOLDER] [--threads 1,2] [--rounds 7] [--json FILE] [--only NAME]

All engines run the same .onnx file (make_models.py; the others come from wheels). `check` compares the outputs of many
inputs with ONNX Runtime's, of several sizes where the model admits them: |a - b| <= 1e-4 * max(1, |b|); last line
`models: P of N`. `bench` compares outputs first, then measures the engines in turn in one process, A B C A B C, each
with the same number of threads and its recommended settings, which are printed; last lines, a peer each:
`models: geomean G, min M, n N (ours/peer speed, PEER)`.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import sys
import time

import numpy

from engines import OnnxRuntime, OpenVino, Ours, Refused, ROOT
from models import compile_model, find_models

PEERS = (OnnxRuntime, OpenVino)
BURST_SECONDS, REST_SECONDS = 0.15, 0.01


def largest_difference(ours, theirs):
    """max |a - b| / max(1, |b|), over all outputs; infinite where shapes differ or one alone is finite."""
    worst = 0.0
    for name, b in theirs.items():
        a = numpy.asarray(ours[name]).astype(numpy.float64)
        b = numpy.asarray(b).astype(numpy.float64)
        if a.shape != b.shape or not numpy.array_equal(numpy.isfinite(a), numpy.isfinite(b)):
            return math.inf
        if b.size:
            worst = max(worst, float(numpy.nanmax(numpy.abs(a - b) / numpy.maximum(1, numpy.abs(b)))))
    return worst


def compile_variants(build, model, folder):
    """An artifact of ours for each variant of a model, compiled once for equal arguments; seconds cold and warm."""
    engines, made, cold, warm = [], {}, 0.0, 0.0
    for variant, arguments in model.variants():
        key = tuple(arguments)
        if key not in made:
            artifact, first, again = compile_model(build, variant, folder, arguments)
            made[key], cold, warm = Ours(build, artifact, 0), max(cold, first), max(warm, again)
        engines.append((variant, made[key]))
    return engines, cold, warm


def check(options, models, folder):
    passed = 0
    for model in models:
        variants, cold, warm = compile_variants(options.build, model, folder)
        theirs = OnnxRuntime(model, 2, fixed=not model.sizes)
        worst = 0.0
        for draw in range(options.inputs):
            variant, ours = variants[draw % len(variants)]
            feeds = variant.inputs(draw)
            worst = max(worst, largest_difference(ours.run(feeds), theirs.run(feeds)))
        good = worst <= 1e-4
        passed += good
        print(f"{model.name:<16}{'ok' if good else 'DIFFERS':<9}max difference {worst:.2g}, {options.inputs} inputs of "
              f"{len(variants)} sizes, compiled in {cold:.1f} s, again in {warm:.1f} s", flush=True)
    print(f"models: {passed} of {len(models)}")
    return 0 if passed == len(models) else 1


def time_burst(engine, feeds, runs):
    """Seconds a run. Threads that still spin for another engine come to rest first, and what it pushed out of the
    caches comes back."""
    time.sleep(REST_SECONDS)
    engine.run(feeds)
    start = time.perf_counter()
    for _ in range(runs):
        engine.run(feeds)
    return (time.perf_counter() - start) / runs


def measure(engines, feeds, rounds):
    """Seconds a run of each engine, a sample a round."""
    runs = [max(1, math.ceil(BURST_SECONDS / time_burst(e, feeds, 1))) for e in engines]
    samples = [[] for _ in engines]
    for _ in range(rounds):
        for side, engine in enumerate(engines):
            samples[side].append(time_burst(engine, feeds, runs[side]))
    return samples


class Row:
    """A model and a number of threads, measured: seconds a run for each engine, and differences and ratios by peer."""

    def __init__(self, options, model, artifact, threads):
        self.model, self.threads, self.refused = model.name, threads, {}
        feeds = model.inputs()
        engines, self.differences = [Ours(options.build, artifact, threads)], {}
        mine = {name: numpy.array(value) for name, value in engines[0].run(feeds).items()}
        for peer in PEERS:
            try:
                engines.append(peer(model, threads))
            except Refused as reason:
                self.refused[peer.name] = str(reason)
                continue
            self.differences[peer.name] = largest_difference(mine, engines[-1].run(feeds))
        samples = measure(engines, feeds, options.rounds)
        self.seconds = {engine.name: times for engine, times in zip(engines, samples)}
        self.ratios = {name: sorted(b / a for a, b in zip(samples[0], self.seconds[name]))
                       for name in self.differences}

    def text(self):
        row = f"{self.model:<14}{self.threads:>8}{1e3 * statistics.median(self.seconds[Ours.name]):>10.2f}"
        for name in (peer.name for peer in PEERS):
            if name in self.refused:
                row += f"{'-':>17}{'-':>8}{'-':>13}{'-':>9}"
                continue
            pairs = self.ratios[name]
            row += (f"{1e3 * statistics.median(self.seconds[name]):>17.2f}{statistics.median(pairs):>8.2f}"
                    f"{f'{pairs[0]:.2f}..{pairs[-1]:.2f}':>13}{self.differences[name]:>9.1g}")
        return row


def closing(peer, rows):
    ratios = [statistics.median(row.ratios[peer.name]) for row in rows if peer.name in row.ratios]
    if not ratios:
        return f"models: n 0 (ours/peer speed, {peer.name})"
    geomean = math.exp(statistics.mean(map(math.log, ratios)))
    return f"models: geomean {geomean:.2f}, min {min(ratios):.2f}, n {len(ratios)} (ours/peer speed, {peer.name})"


def bench(options, models, folder):
    for peer in PEERS:
        print(f"{peer.name}: {peer.settings}")
    heads = "".join(f"{peer.name.split()[0] + ' ms':>17}{'speed':>8}{'spread':>13}{'differs':>9}" for peer in PEERS)
    print(f"{'model':<14}{'threads':>8}{'ours ms':>10}{heads}  compiled, again (s)")
    rows, report = [], []
    for model in models:
        artifact, cold, warm = compile_model(options.build, model, folder, model.compile_arguments())
        for threads in options.threads:
            row = Row(options, model, artifact, threads)
            rows.append(row)
            report.append({**vars(row), "compile_seconds": [cold, warm]})
            print(f"{row.text()}  {cold:.1f}, {warm:.1f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    for name, why in sorted({(row.model, f"{name} refuses it: {why}") for row in rows for name, why in row.refused.items()}):
        print(f"{name}: {why}")
    for peer in reversed(PEERS):
        print(closing(peer, rows))
    wrong = sorted({row.model for row in rows for d in row.differences.values() if not d <= 1e-3})
    if wrong:
        print(f"outputs differ: {' '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


def main():
    for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(variable, None)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["check", "bench"])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--inputs", type=int, default=20)
    parser.add_argument("--threads", type=lambda t: [int(n) for n in t.split(",")], default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", help="names, with commas")
    options = parser.parse_args()
    folder = options.models or options.build / "models"
    wanted = options.only.split(",") if options.only else None
    models = [m for m in find_models(options.build, folder) if wanted is None or m.name in wanted]
    return (check if options.what == "check" else bench)(options, models, folder)


if __name__ == "__main__":
    sys.exit(main())
