"""Small .onnx models, written field by field, so that the tests need no package."""

import struct


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


FLOAT, INT64, STRING = 1, 7, 8


def tensor_type(dims, elem=FLOAT):
    """A TypeProto; a dimension is a number or a name."""
    shape = b"".join(text(1, number(1, d) if isinstance(d, int) else text(2, d)) for d in dims)
    return text(1, number(1, elem) + text(2, shape))


def map_type(key, value):
    return text(5, number(1, key) + text(2, tensor_type([], value)))


def sequence_of(element):
    """A TypeProto of a sequence of another one."""
    return text(4, text(1, element))


def sequence_type(dims, elem=FLOAT):
    return text(4, text(1, tensor_type(dims, elem)))


def value_info(name, dims):
    """`dims` may be a whole TypeProto."""
    return text(1, name) + text(2, dims if isinstance(dims, bytes) else tensor_type(dims))


def real(name, value):
    """A float attribute."""
    return text(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)


def attribute(name, value):
    """An attribute of a Python value: a number, a string, or a list of one kind of them."""
    if isinstance(value, float):
        return real(name, value)
    if isinstance(value, int):
        return text(1, name) + number(3, value) + number(20, 2)
    if isinstance(value, str):
        return text(1, name) + text(4, value) + number(20, 3)
    if isinstance(value[0], float):
        return text(1, name) + text(7, struct.pack(f"<{len(value)}f", *value)) + number(20, 6)
    if isinstance(value[0], int):
        return text(1, name) + b"".join(number(8, v % 2**64) for v in value) + number(20, 7)
    return text(1, name) + b"".join(text(9, v) for v in value) + number(20, 8)


def weight(name, dims, data, elem=FLOAT):
    """A TensorProto."""
    return b"".join(number(1, d) for d in dims) + number(2, elem) + text(8, name) + text(9, data)


def node(operator, inputs, outputs, domain="", attributes=()):
    out = b"".join(text(1, n) for n in inputs) + b"".join(text(2, n) for n in outputs) + text(4, operator)
    out += b"".join(text(5, a) for a in attributes)
    return out + (text(7, domain) if domain else b"")


def model(nodes, inputs, outputs, opset=17, domains=(), weights=()):
    """Inputs and outputs are (name, dims); domains are names, or a dict of names and versions."""
    versions = domains if isinstance(domains, dict) else {d: 1 for d in domains}
    graph = b"".join(text(1, n) for n in nodes) + text(2, "test")
    graph += b"".join(text(5, w) for w in weights)
    graph += b"".join(text(11, value_info(*port)) for port in inputs)
    graph += b"".join(text(12, value_info(*port)) for port in outputs)
    return number(1, 8) + text(2, "imbrex tests") + text(7, graph) + text(8, number(2, opset)) \
        + b"".join(text(8, text(1, d) + number(2, v)) for d, v in versions.items())


def relu_model():
    """y[n,4] = Relu(x[n,4])."""
    return model([node("Relu", ["x"], ["y"])], [("x", ["n", 4])], [("y", ["n", 4])])


def relu_twice_model():
    """y[n,4] = Relu(Relu(x[n,4]))."""
    nodes = [node("Relu", ["x"], ["t"]), node("Relu", ["t"], ["y"])]
    return model(nodes, [("x", ["n", 4])], [("y", ["n", 4])])


def hostile_model():
    """A model whose names are orders to a terminal and markup to a page."""
    evil = "x\x1b[31m\u202e</script><b>\n"
    return model([node("Relu", [evil], ["y"])], [(evil, ["n", 4])], [("y", ["n", 4])])


def add_model():
    """z = x[n,4] + y[m,4]: two sizes that may broadcast."""
    ports = [("x", ["n", 4]), ("y", ["m", 4])]
    return model([node("Add", ["x", "y"], ["z"])], ports, [("z", ["k", 4])])


def gather_model(axis):
    """Picks rows or columns of a table of 64 x 64."""
    table = weight("table", [64, 64], struct.pack("<4096f", *range(4096)))
    return model([node("Gather", ["table", "at"], ["y"], attributes=[attribute("axis", axis)])],
                 [("at", tensor_type(["n"], INT64))], [("y", ["a", "b"])], weights=[table])


def unknown_model():
    """An operator that nobody has."""
    return model([node("NoSuchOperator", ["x"], ["y"])], [("x", [4])], [("y", [4])])
