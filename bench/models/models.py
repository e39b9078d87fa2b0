"""The models that are checked and measured: their files, and inputs of sizes that they admit."""

import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
import onnx

DTYPES = {onnx.TensorProto.FLOAT: numpy.float32, onnx.TensorProto.INT64: numpy.int64,
          onnx.TensorProto.INT32: numpy.int32, onnx.TensorProto.BOOL: numpy.bool_}


class Model:
    """A file, and inputs for it: the shapes of inputs that the file leaves open, bounds of integers, fixed values.

    `sizes` are further shapes of these inputs. One artifact serves them all, unless `fixed` says that the model must be
    compiled for each.
    """

    def __init__(self, name, path, shapes=None, bounds=None, values=None, sizes=(), fixed=False):
        self.name, self.path = name, pathlib.Path(path)
        self.shapes, self.bounds, self.values = shapes or {}, bounds or {}, values or {}
        self.sizes, self.fixed = list(sizes), fixed

    def variants(self):
        """The model once for each of its sizes, and what compiling it takes: (model, arguments)."""
        made = [Model(self.name, self.path, {**self.shapes, **shapes}, self.bounds, self.values) for shapes in self.sizes]
        return [(m, m.compile_arguments() if self.fixed else []) for m in made] or [(self, self.compile_arguments())]

    def ports(self):
        graph = onnx.load(self.path, load_external_data=False).graph
        initial = {t.name for t in graph.initializer}
        return [i for i in graph.input if i.name not in initial]

    def output_names(self):
        return {o.name for o in onnx.load(self.path, load_external_data=False).graph.output}

    def shape(self, port):
        return self.shapes.get(port.name, [d.dim_value for d in port.type.tensor_type.shape.dim])

    def named_sizes(self):
        """Values of named dimensions in these shapes; not of names that stand for several sizes."""
        values = {}
        for port in self.ports():
            for dim, size in zip(port.type.tensor_type.shape.dim, self.shape(port)):
                if dim.dim_param:
                    values.setdefault(dim.dim_param, set()).add(size)
        return {name: sizes.pop() for name, sizes in values.items() if len(sizes) == 1}

    def inputs(self, draw=0):
        random = numpy.random.default_rng(draw)
        feeds = {}
        for port in self.ports():
            dtype, shape = DTYPES[port.type.tensor_type.elem_type], self.shape(port)
            if port.name in self.values:
                feeds[port.name] = numpy.full(shape, self.values[port.name](feeds), dtype)
            elif dtype == numpy.float32:
                feeds[port.name] = random.standard_normal(shape, dtype)
            else:
                feeds[port.name] = random.integers(0, self.bounds.get(port.name, 2), shape).astype(dtype)
        return feeds

    def compile_arguments(self):
        """For the measured shapes alone."""
        return [a for name, shape in self.shapes.items()
                for a in ("--input-shape", f"{name}=" + "x".join(map(str, shape)))]


def pictures(sizes):
    """Inputs `x` of these (count, height, width)."""
    return [{"x": [count, 3, height, width]} for count, height, width in sizes]


def rate(feeds):
    """Silero hears 36 milliseconds at once, at 8 or 16 kHz."""
    return 16000 if feeds["input"].shape[1] == 576 else 8000


def find_models(build, folder):
    """The topologies of make_models.py, and the models that stand in wheels."""
    wheels = build / "wheels"
    rapid = wheels / "rapidocr/rapidocr/models"
    words = {"shapes": {"ids": [1, 128]}, "bounds": {"ids": 30522},
             "sizes": [{"ids": s} for s in ([1, 128], [1, 1], [2, 17], [3, 64], [1, 384])]}
    models = [Model(p.stem, p, **(words if p.stem == "bert_base" else {})) for p in sorted(folder.glob("*.onnx"))]
    models += [
        Model("magika", next((wheels / "magika").rglob("model.onnx"), ""), {"bytes": [1, 2048]}, bounds={"bytes": 257},
              sizes=[{"bytes": [count, 2048]} for count in (1, 2, 3, 8, 17)]),
        Model("silero", wheels / "silero-vad/silero_vad/data/silero_vad.onnx",
              {"input": [1, 576], "state": [2, 1, 128], "sr": []}, values={"sr": rate},
              sizes=[{"input": [n, length], "state": [2, n, 128]} for n, length in ((1, 576), (3, 576), (2, 288))],
              fixed=True),
        Model("ocr_detect", rapid / "PP-OCRv6_det_small.onnx", {"x": [1, 3, 640, 640]},
              sizes=pictures([(1, 640, 640), (1, 320, 480), (2, 96, 128), (1, 736, 32), (1, 64, 1024)])),
        Model("ocr_read", rapid / "PP-OCRv6_rec_small.onnx", {"x": [1, 3, 48, 320]},
              sizes=pictures([(1, 48, 320), (6, 48, 320), (1, 48, 97), (2, 48, 640), (1, 48, 1600)])),
        Model("ocr_turn", rapid / "ch_ppocr_mobile_v2.0_cls_mobile.onnx", {"x": [1, 3, 48, 192]},
              sizes=pictures([(1, 48, 192), (6, 48, 192), (17, 48, 192), (1, 48, 100), (3, 64, 256)])),
    ]
    missing = [m.name for m in models if not m.path.is_file()]
    if missing:
        sys.exit(f"models that are not there: {', '.join(missing)}; try scripts/fetch-wheels {build}")
    return models


def compile_once(build, model, artifact, *arguments):
    """The seconds that it took."""
    start = time.monotonic()
    subprocess.run([build / "bin/imbrex-compile", model.path, "-o", artifact, *arguments], check=True,
                   stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def compile_model(build, model, folder, arguments):
    """The artifact, and the seconds of compiling it with no machine code kept and with all of it."""
    artifact = folder / f"{model.name}.imx"
    with tempfile.TemporaryDirectory(prefix="imbrex-kernels-") as kernels:
        cold, warm = (compile_once(build, model, artifact, "--cache", kernels, *arguments) for _ in range(2))
    return artifact, cold, warm
