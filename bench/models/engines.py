"""The engines that run a model: ours and what users would pick instead, each with the settings it recommends."""

import importlib.metadata
import pathlib
import sys

import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import imbrex  # noqa: E402


class Ours:
    name = "imbrex"

    def __init__(self, build, artifact, threads):
        self.module = imbrex.Module(str(artifact), library=str(build / "lib/libimbrex-runtime.so"))
        self.context = self.module.context(threads=threads)

    def run(self, feeds):
        return self.context.run(feeds)


class Refused(Exception):
    """This engine cannot run the model, in its words."""


class OnnxRuntime:
    name = f"onnxruntime {onnxruntime.__version__}"
    settings = "graph optimization all, sequential execution, intra-op threads as given, open sizes fixed when measured"

    def __init__(self, model, threads, fixed=True):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        for name, size in model.named_sizes().items() if fixed else ():
            options.add_free_dimension_override_by_name(name, size)
        self.session = onnxruntime.InferenceSession(str(model.path), options, providers=["CPUExecutionProvider"])
        self.names = [o.name for o in self.session.get_outputs()]

    def run(self, feeds):
        return dict(zip(self.names, self.session.run(self.names, feeds)))


class OpenVino:
    name = f"openvino {importlib.metadata.version('openvino')}"
    settings = "CPU, latency hint, threads as given, inference precision f32, open sizes fixed"

    def __init__(self, model, threads):
        import openvino  # here: it takes memory, which memory.py measures
        core = openvino.Core()
        try:
            network = core.read_model(str(model.path))
        except RuntimeError as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            raise Refused(lines[-1]) from error
        network.reshape({port.name: openvino.PartialShape(model.shape(port)) for port in model.ports()})
        compiled = core.compile_model(network, "CPU", {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads,
                                                       "INFERENCE_PRECISION_HINT": "f32"})
        self.request = compiled.create_infer_request()
        wanted = model.output_names()  # a port may have further names
        self.names = [next(n for n in port.get_names() if n in wanted) for port in compiled.outputs]

    def run(self, feeds):
        results = self.request.infer(feeds, share_inputs=True)
        return {name: results[i] for i, name in enumerate(self.names)}
