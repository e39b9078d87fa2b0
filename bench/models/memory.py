#!/usr/bin/env python3
"""Memory of a run, beside ONNX Runtime's.

    memory.py memory --build BUILD [--only NAME]
    memory.py leaks --build BUILD [--runs 10000]

`memory`: by how much the peak (VmHWM) of a fresh process grows from loading a model to its third run; and the same model
with an open batch after 20 and after 200 distinct sizes. Last lines: `memory: worst R of ONNX Runtime, n N` and
`memory: 200 shapes R of 20`. `leaks`: resident memory after a tenth of the runs and after all of them; last line
`leaks: R of 1/10, runs N`. Exit 1 above 0.9, 1.1 and 1.02.
"""

import argparse
import ctypes
import gc
import json
import pathlib
import subprocess
import sys

from models import compile_once, find_models

ROOT = pathlib.Path(__file__).resolve().parents[2]


def status(field):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise LookupError(field)


def settle():
    """Gives what Python holds free back to the system, and lets the peak start from here: an engine would else find its
    memory there, and another would not."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def child(task):
    """In a process of its own: runs an engine on sizes of a batch and prints memory in KiB."""
    from engines import OnnxRuntime, Ours  # both are loaded before memory is measured
    model = next(m for m in find_models(pathlib.Path(task["build"]), pathlib.Path(task["models"]))
                 if m.name == task["model"])
    feeds = [model.inputs(draw) for draw in range(3)]
    settle()
    before, marks = status("VmHWM"), {}
    if task["engine"] == "ours":
        engine = Ours(pathlib.Path(task["build"]), task["artifact"], 2)
    else:
        engine = OnnxRuntime(model, 2)
    if "sizes" in task:
        name, shape = next(iter(model.shapes.items()))
        for done, count in enumerate(range(task["sizes"], 0, -1), 1):  # the largest first: it needs the most
            model.shapes[name] = [count, *shape[1:]]
            engine.run(model.inputs(count))
            if done in (task["sizes"] // 10, task["sizes"]):
                marks[done] = status("VmHWM")
    else:
        for i in range(task.get("runs", 3)):
            engine.run(feeds[i % 3])
            if task.get("runs") and i + 1 in (task["runs"] // 10, task["runs"]):
                marks[i + 1] = status("VmRSS")
    print(json.dumps({"growth": status("VmHWM") - before, "before": before, "marks": marks}))


def measure(**task):
    done = subprocess.run([sys.executable, __file__, "child", json.dumps(task)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def memory(options, models, folder):
    worst = 0.0
    for model in models:
        artifact = folder / f"{model.name}.imx"
        compile_once(options.build, model, artifact, *model.compile_arguments())
        common = {"build": str(options.build), "models": str(options.models), "model": model.name}
        ours = measure(engine="ours", artifact=str(artifact), **common)["growth"]
        theirs = measure(engine="peer", **common)["growth"]
        worst = max(worst, ours / theirs)
        print(f"{model.name:<16}ours {ours / 1024:8.1f} MiB   onnxruntime {theirs / 1024:8.1f} MiB   {ours / theirs:.2f}",
              flush=True)
    opened = next(m for m in models if m.name == "magika")
    artifact = folder / f"{opened.name}.imx"
    compile_once(options.build, opened, artifact)
    marks = measure(engine="ours", artifact=str(artifact), build=str(options.build), models=str(options.models),
                    model="magika", sizes=200)["marks"]
    growth = marks["200"] / marks["20"]
    print(f"memory: worst {worst:.2f} of ONNX Runtime, n {len(models)}")
    print(f"memory: 200 shapes {growth:.2f} of 20")
    return int(worst > 0.9 or growth > 1.1)


def leaks(options, models, folder):
    model = next(m for m in models if m.name == "silero")
    artifact = folder / f"{model.name}.imx"
    compile_once(options.build, model, artifact, *model.compile_arguments())
    marks = measure(engine="ours", artifact=str(artifact), build=str(options.build), models=str(options.models),
                    model=model.name, runs=options.runs)["marks"]
    early, late = marks[str(options.runs // 10)], marks[str(options.runs)]
    print(f"leaks: {late / early:.3f} of 1/10, runs {options.runs}")
    return int(late > 1.02 * early)


def main():
    if sys.argv[1:2] == ["child"]:
        return child(json.loads(sys.argv[2]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["memory", "leaks"])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.models = options.models or options.build / "models"
    models = [m for m in find_models(options.build, options.models)
              if options.only is None or m.name in (options.only, "magika")]
    return (memory if options.what == "memory" else leaks)(options, models, options.models)


if __name__ == "__main__":
    sys.exit(main())
