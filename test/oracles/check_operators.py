#!/usr/bin/env python3
"""Random ONNX operators, compiled, against ONNX Runtime (ONNX's reference where that has none).

  check_operators.py BUILD [--seed N] [--count N] [--keep DIR] [--only OP]

Odd shapes and values: empty and scalar tensors, broadcasting of both sides, negative axes, places at the ends of int64, integers
at their limits, NaN and infinities; sizes known or left open, parameters constant or not. A refusal is counted, not forgiven: a
difference or a failure is exit 1. Last line: operators: P of N.
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2] / "python"), str(HERE.parent)]
import imbrex  # noqa: E402
from operators import FAMILIES  # noqa: E402
from operators.draw import Draw  # noqa: E402

GROUP = 12  # nodes a model: compiling costs more than running


class Drawn:
    """A case with its number, and whether its sizes are left open."""

    def __init__(self, number, case, is_open):
        self.number, self.case, self.is_open = number, case, is_open

    def names(self, prefix, values):
        return [f"{prefix}{self.number}_{k}" if v is not None else "" for k, v in enumerate(values)]

    def parts(self):
        """Its node, constants, inputs with values, outputs."""
        case = self.case
        inputs = list(case.inputs)
        while inputs and inputs[-1] is None:
            inputs.pop()
        names = self.names("x", inputs)
        outputs = self.names("y", range(case.outputs))
        node = helper.make_node(case.op, names, outputs, name=f"n{self.number}", **case.attributes)
        constants = [numpy_helper.from_array(v, n) for k, (n, v) in enumerate(zip(names, inputs)) if k in case.fixed and n]
        fed = {n: v for k, (n, v) in enumerate(zip(names, inputs)) if k not in case.fixed and n}
        return node, constants, fed, outputs


def model_of(drawn):
    """One model of several cases of one operator set."""
    nodes, constants, feeds, outputs, ports = [], [], {}, [], []
    for one in drawn:
        node, fixed, fed, results = one.parts()
        nodes.append(node)
        constants += fixed
        feeds |= fed
        outputs += results
        for name, value in fed.items():
            kept = not one.is_open or int(name.rpartition("_")[2]) in one.case.sized
            shape = value.shape if kept else [None] * value.ndim
            ports.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), shape))
    graph = helper.make_graph(nodes, "g", ports, [onnx.ValueInfoProto(name=o) for o in outputs], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", drawn[0].case.opset)], ir_version=10)
    return model, feeds, outputs


def expected(drawn):
    """Its outputs by another engine, or None where neither has it or it refuses."""
    model, feeds, outputs = model_of([drawn])
    if drawn.case.by_reference:
        return by_reference(model, feeds, outputs)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        typed = onnx.shape_inference.infer_shapes(model)  # ONNX Runtime wants the types of outputs
        known = {v.name: v for v in typed.graph.output}
        for port in model.graph.output:
            port.CopyFrom(known[port.name])
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return session.run(outputs, feeds), "onnxruntime"
    except Exception as error:  # noqa: BLE001: it raises many kinds
        return by_reference(model, feeds, outputs) if "NOT_IMPLEMENTED" in str(error) else (None, str(error))


def by_reference(model, feeds, outputs):
    try:
        with np.errstate(all="ignore"):
            return ReferenceEvaluator(model).run(outputs, feeds), "reference"
    except Exception as error:  # noqa: BLE001
        return None, str(error)


class Ours:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def run(self, drawn):
        """Outputs of each case, or an exception."""
        model, feeds, _ = model_of(drawn)
        path, artifact = f"{self.folder}/m.onnx", f"{self.folder}/m.imx"
        onnx.save(model, path)
        done = subprocess.run([f"{self.build}/bin/imbrex-compile", path, "-o", artifact], capture_output=True, text=True, timeout=600,
                              env=dict(os.environ, XDG_CACHE_HOME=f"{self.folder}/cache"), check=False)
        if done.returncode:
            if len(drawn) > 1:
                return sum((self.run([one]) for one in drawn), [])
            kind = Refused if done.returncode == 3 else RuntimeError
            return [kind(done.stderr.strip()[:600])]
        try:
            module = imbrex.Module(artifact, library=f"{self.build}/lib/libimbrex-runtime.so")
            found = module.context(threads=1).run({p.name: np.ascontiguousarray(feeds[p.name]).reshape(feeds[p.name].shape)
                                                   for p in module.inputs})
        except imbrex.Error as error:
            if len(drawn) > 1:
                return sum((self.run([one]) for one in drawn), [])
            return [error]
        return [[found[name] for name in one.parts()[3]] for one in drawn]


class Refused(Exception):
    """The compiler does not support it."""


def difference(ours, theirs, tolerance):
    """What differs, in words; nothing where nothing does."""
    for k, (a, b) in enumerate(zip(ours, theirs)):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype != b.dtype and not (b.dtype == bool and a.dtype == np.bool_):
            return f"output {k}: type {a.dtype}, not {b.dtype}"
        if a.shape != b.shape:
            return f"output {k}: shape {a.shape}, not {b.shape}"
        if b.dtype.kind == "f":
            wide, other = a.astype("f8"), b.astype("f8")
            with np.errstate(all="ignore"):
                good = (np.abs(wide - other) <= tolerance * np.maximum(1, np.abs(other))) | (wide == other) | \
                    (np.isnan(wide) & np.isnan(other))
        else:
            good = a == b if tolerance < 1 else np.abs(a.astype("i8") - b.astype("i8")) <= 1
        if not np.all(good):
            at = tuple(int(v) for v in np.argwhere(~np.atleast_1d(good))[0])
            return f"output {k} at {at}: {np.atleast_1d(a)[at]}, not {np.atleast_1d(b)[at]} ({int((~good).sum())} of {b.size})"
    return None


def describe(one):
    case = one.case
    inputs = [None if v is None else f"{v.dtype}{list(v.shape)}" + (f"={v.tolist()}" if v.size <= 8 else "") for v in case.inputs]
    return f"{case.op}-{case.opset} {inputs} {case.attributes}{' open' if one.is_open else ''} fixed={sorted(case.fixed)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--keep", help="write models that differ there")
    parser.add_argument("--only", help="cases of one operator")
    o = parser.parse_args()
    warnings.filterwarnings("ignore")
    draw, groups, skipped = Draw(o.seed), collections.defaultdict(list), collections.Counter()
    oracles, number = {}, 0
    while len(oracles) < o.count:
        case = draw.choice(FAMILIES)(draw)
        is_open = draw.random() < 0.35
        number += 1
        if case is None or (o.only and case.op != o.only):
            continue
        one = Drawn(number, case, is_open)
        theirs, why = expected(one)
        if theirs is None:
            skipped[case.op] += 1
            if o.keep:
                print("skipped:", describe(one), "|", why[:200])
            continue
        oracles[number] = theirs
        groups[case.opset].append(one)
    passed, tally = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(o.build, folder)
        for cases in groups.values():
            for begin in range(0, len(cases), GROUP):
                batch = cases[begin:begin + GROUP]
                for one, found in zip(batch, ours.run(batch)):
                    if isinstance(found, Exception):
                        wrong = f"{'refused' if isinstance(found, Refused) else 'failed'}: {found}"
                    else:
                        wrong = difference(found, oracles[one.number], one.case.tolerance)
                    passed += wrong is None
                    if wrong is None:
                        continue
                    tally[one.case.op] += 1
                    print(f"{one.number}: {describe(one)}\n    {wrong}", flush=True)
                    if o.keep:
                        os.makedirs(o.keep, exist_ok=True)
                        onnx.save(model_of([one])[0], f"{o.keep}/{one.number}.onnx")
    print("no oracle:", sum(skipped.values()), dict(skipped.most_common(8)))
    print("differ:", dict(tally.most_common()))
    print(f"operators: {passed} of {len(oracles)}")
    return 0 if passed == len(oracles) else 1


if __name__ == "__main__":
    sys.exit(main())
