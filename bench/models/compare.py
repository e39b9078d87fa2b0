#!/usr/bin/env python3
"""Real models against other engines: are the outputs the same, and how fast is each?

    compare.py check --build BUILD [--models FOLDER] [--inputs 20] [--only NAME]
    compare.py bench --build BUILD [--models FOLDER] [--threads 1,2] [--rounds 7] [--json FILE] [--only NAME]

Both run the same .onnx file (make_models.py; magika and Silero come from their wheels). `check` compares the outputs of
many inputs: |a - b| <= 1e-4 * max(1, |b|); last line `models: P of N`. `bench` compares outputs first, then measures the
engines in turn in one process, A B A B, each with the same number of threads and its recommended settings, which are
printed; last line `models: geomean G, min M, n N (ours/peer speed)`.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy
import onnx
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import imbrex  # noqa: E402

DTYPES = {onnx.TensorProto.FLOAT: numpy.float32, onnx.TensorProto.INT64: numpy.int64,
          onnx.TensorProto.INT32: numpy.int32, onnx.TensorProto.BOOL: numpy.bool_}


class Model:
    """A file, and inputs for it: the shapes of inputs that the file leaves open, bounds of integers, fixed values."""

    def __init__(self, name, path, shapes=None, bounds=None, values=None):
        self.name, self.path = name, pathlib.Path(path)
        self.shapes, self.bounds, self.values = shapes or {}, bounds or {}, values or {}

    def ports(self):
        graph = onnx.load(self.path, load_external_data=False).graph
        initial = {t.name for t in graph.initializer}
        return [i for i in graph.input if i.name not in initial]

    def shape(self, port):
        return self.shapes.get(port.name, [d.dim_value for d in port.type.tensor_type.shape.dim])

    def inputs(self, draw=0):
        random = numpy.random.default_rng(draw)
        feeds = {}
        for port in self.ports():
            dtype, shape = DTYPES[port.type.tensor_type.elem_type], self.shape(port)
            if port.name in self.values:
                feeds[port.name] = numpy.full(shape, self.values[port.name], dtype)
            elif dtype == numpy.float32:
                feeds[port.name] = random.standard_normal(shape, dtype)
            else:
                feeds[port.name] = random.integers(0, self.bounds.get(port.name, 2), shape).astype(dtype)
        return feeds

    def compile_arguments(self):
        return [a for name, shape in self.shapes.items()
                for a in ("--input-shape", f"{name}=" + "x".join(map(str, shape)))]


def find_models(build, folder):
    """The topologies of make_models.py, and the models that stand in wheels."""
    wheels = build / "wheels"
    rapid = wheels / "rapidocr/rapidocr/models"
    models = [Model(p.stem, p, bounds={"ids": 30522}) for p in sorted(folder.glob("*.onnx"))]
    models += [
        Model("magika", next((wheels / "magika").rglob("model.onnx"), ""), {"bytes": [1, 2048]}, bounds={"bytes": 257}),
        Model("silero", wheels / "silero-vad/silero_vad/data/silero_vad.onnx",
              {"input": [1, 576], "state": [2, 1, 128], "sr": []}, values={"sr": 16000}),
        Model("ocr_detect", rapid / "PP-OCRv6_det_small.onnx", {"x": [1, 3, 640, 640]}),
        Model("ocr_read", rapid / "PP-OCRv6_rec_small.onnx", {"x": [1, 3, 48, 320]}),
        Model("ocr_turn", rapid / "ch_ppocr_mobile_v2.0_cls_mobile.onnx", {"x": [1, 3, 48, 192]}),
    ]
    missing = [m.name for m in models if not m.path.is_file()]
    if missing:
        sys.exit(f"models that are not there: {', '.join(missing)}; try scripts/fetch-wheels {build}")
    return models


def compile_model(build, model, folder):
    artifact = folder / f"{model.name}.imx"
    start = time.monotonic()
    subprocess.run([build / "bin/imbrex-compile", model.path, "-o", artifact, *model.compile_arguments()], check=True,
                   stdout=subprocess.DEVNULL)
    return artifact, time.monotonic() - start


class Ours:
    name = "imbrex"

    def __init__(self, build, artifact, threads):
        self.module = imbrex.Module(str(artifact), library=str(build / "lib/libimbrex-runtime.so"))
        self.context = self.module.context(threads=threads)

    def run(self, feeds):
        return self.context.run(feeds)


class OnnxRuntime:
    name = f"onnxruntime {onnxruntime.__version__}"
    settings = "graph optimization all, sequential execution, intra-op threads as given"

    def __init__(self, path, threads):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.names = [o.name for o in self.session.get_outputs()]

    def run(self, feeds):
        return dict(zip(self.names, self.session.run(self.names, feeds)))


def largest_difference(ours, theirs):
    """max |a - b| / max(1, |b|), over all outputs; infinite where shapes differ."""
    worst = 0.0
    for name, b in theirs.items():
        a = numpy.asarray(ours[name])
        if a.shape != b.shape:
            return math.inf
        if b.size:
            a, b = a.astype(numpy.float64), b.astype(numpy.float64)
            worst = max(worst, float(numpy.max(numpy.abs(a - b) / numpy.maximum(1, numpy.abs(b)))))
    return worst


def check(options, models, folder):
    passed = 0
    for model in models:
        artifact, seconds = compile_model(options.build, model, folder)
        ours, theirs = Ours(options.build, artifact, 0), OnnxRuntime(model.path, 2)
        worst = 0.0
        for draw in range(options.inputs):
            feeds = model.inputs(draw)
            worst = max(worst, largest_difference(ours.run(feeds), theirs.run(feeds)))
        good = worst <= 1e-4
        passed += good
        print(f"{model.name:<16}{'ok' if good else 'DIFFERS':<9}max difference {worst:.2g}, {options.inputs} inputs, "
              f"compiled in {seconds:.1f} s", flush=True)
    print(f"models: {passed} of {len(models)}")
    return 0 if passed == len(models) else 1


def time_once(engine, feeds, runs):
    start = time.perf_counter()
    for _ in range(runs):
        engine.run(feeds)
    return (time.perf_counter() - start) / runs


def bench_one(build, model, artifact, threads, rounds):
    feeds = model.inputs()
    ours, theirs = Ours(build, artifact, threads), OnnxRuntime(model.path, threads)
    difference = largest_difference(ours.run(feeds), theirs.run(feeds))
    runs = [max(1, math.ceil(0.1 / time_once(e, feeds, 1))) for e in (ours, theirs)]
    samples = [[], []]
    for _ in range(rounds):
        for side, engine in enumerate((ours, theirs)):
            samples[side].append(time_once(engine, feeds, runs[side]))
    return difference, samples


def bench(options, models, folder):
    print(f"{OnnxRuntime.name}: {OnnxRuntime.settings}")
    print(f"{'model':<16}{'threads':>8}{'ours ms':>10}{'peer ms':>10}{'speed':>8}  spread of ratios, difference, compile")
    ratios, report = [], []
    for model in models:
        artifact, seconds = compile_model(options.build, model, folder)
        for threads in options.threads:
            difference, (a, b) = bench_one(options.build, model, artifact, threads, options.rounds)
            pairs = sorted(y / x for x, y in zip(a, b))
            ratio = statistics.median(pairs)
            ratios.append(ratio)
            report.append({"model": model.name, "threads": threads, "ours": a, "peer": b, "difference": difference,
                           "compile_seconds": seconds})
            print(f"{model.name:<16}{threads:>8}{1e3 * statistics.median(a):>10.2f}{1e3 * statistics.median(b):>10.2f}"
                  f"{ratio:>8.2f}  {pairs[0]:.2f}..{pairs[-1]:.2f}, {difference:.1g}, {seconds:.1f} s", flush=True)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))
    geomean = math.exp(statistics.mean(map(math.log, ratios)))
    print(f"models: geomean {geomean:.2f}, min {min(ratios):.2f}, n {len(ratios)} (ours/peer speed)")
    return 0


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
    parser.add_argument("--only")
    options = parser.parse_args()
    folder = options.models or options.build / "models"
    models = [m for m in find_models(options.build, folder) if options.only in (None, m.name)]
    return (check if options.what == "check" else bench)(options, models, folder)


if __name__ == "__main__":
    sys.exit(main())
