#!/usr/bin/env python3
"""Writes the models that are measured: real topologies with made-up weights, once, for every engine the same file.

    make_models.py --onnx FOLDER --out FOLDER [--only NAME]

--onnx is the folder `light` of the onnx package's test data, whose models have their shapes but no weights. They get
seeded He-normal weights (variance 2 / fan-in), and batch-norm variances of 0.5 to 2, so that activations neither die nor
overflow. `bert_base` is an encoder of BERT base's shape. Weights stand in a file beside each model.
"""

import argparse
import pathlib
import zlib

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

LIGHT = ("bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet", "squeezenet", "vgg19",
         "zfnet512")


def generator(model, tensor):
    return numpy.random.default_rng(zlib.crc32(f"{model}/{tensor}".encode()))


def he_normal(random, shape, fan_in):
    return (random.standard_normal(shape) * numpy.sqrt(2 / max(fan_in, 1))).astype(numpy.float32)


def weight(random, node, place, shape):
    """What an operand of a node needs to keep activations near unit size."""
    if node.op_type == "Conv" and place == 1:
        return he_normal(random, shape, int(numpy.prod(shape[1:])))
    if node.op_type == "Gemm" and place == 1:
        transposed = any(a.name == "transB" and a.i for a in node.attribute)
        return he_normal(random, shape, shape[1] if transposed else shape[0])
    if node.op_type == "BatchNormalization" and place == 4:
        return random.uniform(0.5, 2, shape).astype(numpy.float32)
    if (node.op_type == "BatchNormalization" and place == 1) or node.op_type == "Mul":
        return random.uniform(0.7, 1.3, shape).astype(numpy.float32)
    return (0.1 * random.standard_normal(shape)).astype(numpy.float32)


def with_weights(name, model):
    """Replaces each tensor that the light model makes of one value by a weight of its shape."""
    graph = model.graph
    initial = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    users = {}
    for node in graph.node:
        for place, tensor in enumerate(node.input):
            users.setdefault(tensor, (node, place))
    kept, weights = [], []
    for node in graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        tensor, shape = node.output[0], [int(s) for s in initial[node.input[0]]]
        user, place = users.get(tensor, (node, 0))
        if user.op_type == "Unsqueeze":
            user, place = users[user.output[0]]
        weights.append(numpy_helper.from_array(weight(generator(name, tensor), user, place, shape), tensor))
    used = {t for node in kept for t in node.input}
    rest = [t for t in graph.initializer if t.name in used]
    names = {t.name for t in graph.initializer}
    inputs = [i for i in graph.input if i.name not in names]
    del graph.node[:], graph.initializer[:], graph.input[:]
    graph.node.extend(kept)
    graph.initializer.extend(rest + weights)
    graph.input.extend(inputs)
    return model


class Encoder:
    """BERT base: 12 layers, 768 wide, 12 heads, 3072 inside, up to 512 tokens, as exporters write it."""

    LAYERS, WIDTH, HEADS, INNER, TOKENS, WORDS = 12, 768, 12, 3072, 512, 30522

    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def add(self, operator, inputs, **attributes):
        self.count += 1
        out = f"t{self.count}"
        self.nodes.append(helper.make_node(operator, inputs, [out], name=f"{operator}_{self.count}", **attributes))
        return out

    def weight(self, name, shape, scale):
        values = generator("bert_base", name).standard_normal(shape) * scale
        self.weights.append(numpy_helper.from_array(values.astype(numpy.float32), name))
        return name

    def ints(self, name, values):
        self.weights.append(numpy_helper.from_array(numpy.array(values, numpy.int64), name))
        return name

    def dense(self, x, name, rows, columns):
        y = self.add("MatMul", [x, self.weight(f"{name}.w", (rows, columns), rows ** -0.5)])
        return self.add("Add", [y, self.weight(f"{name}.b", (columns,), 0.02)])

    def norm(self, x, name):
        scale = numpy_helper.from_array(numpy.ones(self.WIDTH, numpy.float32), f"{name}.scale")
        self.weights.append(scale)
        return self.add("LayerNormalization", [x, scale.name, self.weight(f"{name}.bias", (self.WIDTH,), 0.02)],
                        axis=-1, epsilon=1e-12)

    def heads(self, x, order):
        return self.add("Transpose", [self.add("Reshape", [x, "split"])], perm=order)

    def attention(self, x, name):
        q, k, v = (self.dense(x, f"{name}.{part}", self.WIDTH, self.WIDTH) for part in "qkv")
        scores = self.add("MatMul", [self.heads(q, [0, 2, 1, 3]), self.heads(k, [0, 2, 3, 1])])
        scaled = self.add("Div", [scores, "root"])
        mixed = self.add("MatMul", [self.add("Softmax", [scaled], axis=-1), self.heads(v, [0, 2, 1, 3])])
        joined = self.add("Reshape", [self.add("Transpose", [mixed], perm=[0, 2, 1, 3]), "join"])
        return self.dense(joined, f"{name}.out", self.WIDTH, self.WIDTH)

    def feed_forward(self, x, name):
        h = self.dense(x, f"{name}.up", self.WIDTH, self.INNER)
        erf = self.add("Erf", [self.add("Div", [h, "root2"])])
        gelu = self.add("Mul", [self.add("Mul", [h, self.add("Add", [erf, "one"])]), "half"])
        return self.dense(gelu, f"{name}.down", self.INNER, self.WIDTH)

    def places(self):
        """Of as many tokens as there are."""
        end = self.add("Gather", [self.add("Shape", ["ids"]), self.ints("sequence_axis", [1])])
        weights = self.weight("places", (self.TOKENS, self.WIDTH), 0.5)
        return self.add("Slice", [weights, self.ints("from", [0]), end, self.ints("rows", [0])])

    def model(self):
        for name, value in (("root", (self.WIDTH / self.HEADS) ** 0.5), ("root2", 2 ** 0.5), ("one", 1), ("half", 0.5)):
            self.weights.append(numpy_helper.from_array(numpy.array(value, numpy.float32), name))
        self.ints("split", [0, 0, self.HEADS, self.WIDTH // self.HEADS])
        self.ints("join", [0, 0, self.WIDTH])
        x = self.add("Gather", [self.weight("words", (self.WORDS, self.WIDTH), 0.5), "ids"])
        x = self.norm(self.add("Add", [x, self.places()]), "embedding")
        for layer in range(self.LAYERS):
            x = self.norm(self.add("Add", [x, self.attention(x, f"l{layer}.attention")]), f"l{layer}.norm1")
            x = self.norm(self.add("Add", [x, self.feed_forward(x, f"l{layer}.ff")]), f"l{layer}.norm2")
        self.nodes.append(helper.make_node("Identity", [x], ["hidden"]))
        ids = helper.make_tensor_value_info("ids", onnx.TensorProto.INT64, ["batch", "sequence"])
        out = helper.make_tensor_value_info("hidden", onnx.TensorProto.FLOAT, ["batch", "sequence", self.WIDTH])
        graph = helper.make_graph(self.nodes, "bert_base", [ids], [out], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def calibrate(name, model):
    """Scales the last weights so that what goes into the softmax has unit deviation: else one class takes all, and a
    comparison of outputs would see nothing."""
    graph = model.graph
    if graph.node[-1].op_type != "Softmax":
        return
    logits = graph.node[-1].input[0]
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.append(helper.make_tensor_value_info(logits, onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(probe.SerializeToString(), providers=["CPUExecutionProvider"])
    feeds = {i.name: generator(name, i.name).standard_normal(i.shape).astype(numpy.float32)
             for i in session.get_inputs()}
    deviation = float(numpy.std(session.run(None, feeds)[0]))
    last = next(n for n in reversed(graph.node) if n.op_type in ("Gemm", "Conv"))
    for tensor in graph.initializer:
        if tensor.name in last.input[1:]:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor) / numpy.float32(deviation), tensor.name))


def save(model, path):
    data = path.with_suffix(".weights")
    data.unlink(missing_ok=True)
    onnx.save(model, path, save_as_external_data=True, all_tensors_to_one_file=True, location=data.name,
              size_threshold=1024)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--onnx", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in (*LIGHT, "bert_base"):
        path = options.out / f"{name}.onnx"
        if path.exists() or (options.only and options.only != name):
            continue
        model = Encoder().model() if name == "bert_base" else with_weights(
            name, onnx.load(options.onnx / f"light_{name}.onnx"))
        calibrate(name, model)
        save(model, path)
        print(f"{path.name}: {len(model.graph.node)} nodes", flush=True)


if __name__ == "__main__":
    main()
