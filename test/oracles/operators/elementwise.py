"""Cases of operators that work element by element."""

import numpy as np

from .draw import FLOATS, INTS, Case


UNARY = {
    "Abs": FLOATS + INTS, "Neg": FLOATS + INTS[:4], "Ceil": FLOATS, "Floor": FLOATS, "Round": FLOATS,
    "Sign": FLOATS + INTS, "Sqrt": FLOATS, "Exp": FLOATS, "Log": FLOATS, "Sin": FLOATS, "Cos": FLOATS,
    "Tan": FLOATS[:1], "Asin": FLOATS[:1], "Acos": FLOATS[:1], "Atan": FLOATS[:1], "Sinh": FLOATS[:1],
    "Cosh": FLOATS[:1], "Asinh": FLOATS[:1], "Acosh": FLOATS[:1], "Atanh": FLOATS[:1], "Erf": FLOATS[:1],
    "Tanh": FLOATS, "Sigmoid": FLOATS, "Reciprocal": FLOATS, "Relu": FLOATS, "Softplus": FLOATS[:1],
    "Softsign": FLOATS[:1], "HardSwish": FLOATS[:1], "Mish": FLOATS[:1], "Not": ["bool"], "BitwiseNot": INTS,
    "IsNaN": FLOATS, "IsInf": FLOATS[:2], "Identity": FLOATS + INTS,
}


def unary(d):
    op = d.choice(list(UNARY))
    dtype = d.choice(UNARY[op])
    opset = d.choice([22, 22, 18, 13] if op not in ("HardSwish", "Mish", "BitwiseNot") else [22])
    if dtype in ("int16", "uint16") and op == "Relu":
        return None
    attributes = {}
    if op == "IsInf":
        attributes = {"detect_negative": d.randint(0, 1), "detect_positive": d.randint(0, 1)}
    if op == "Asinh":
        return Case(op, [d.array(d.shape(), dtype, low=-50, high=50)], opset=opset)
    return Case(op, [d.array(d.shape(), dtype)], attributes=attributes, opset=opset,
                tolerance=2e-3 if dtype == "float16" else 1e-4)


def activation(d):
    op = d.choice(["Elu", "Selu", "Celu", "ThresholdedRelu", "HardSigmoid", "LeakyRelu", "Gelu", "Shrink"])
    x = d.array(d.shape())
    attributes = {}
    if op in ("Elu", "Celu", "ThresholdedRelu", "HardSigmoid", "LeakyRelu", "Selu") and d.random() < 0.7:
        attributes["alpha"] = d.choice([0.5, 1.0, 1.7, 0.01])
    if op == "Selu" and d.random() < 0.5:
        attributes["gamma"] = 1.3
    if op == "Gelu":
        attributes["approximate"] = d.choice(["none", "tanh"])
    if op == "Shrink":
        attributes = {"bias": d.choice([0.0, 0.5]), "lambd": d.choice([0.5, 1.0])}
    return Case(op, [x], attributes=attributes)


def binary(d):
    op = d.choice(["Add", "Sub", "Mul", "Div", "Pow", "Mod", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual",
                   "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "And", "Or", "Xor", "PRelu"])
    shape = d.shape()
    other = d.broadcast(shape)
    dtype = d.choice(["float32", "float64", "int32", "int64"])
    attributes, opset = {}, d.choice([22, 22, 17, 13])
    if op == "Pow":
        dtype = d.choice(["float32", "float64"])
    if op in ("And", "Or", "Xor"):
        dtype = "bool"
    if op.startswith("Bitwise"):
        dtype, opset = d.choice(INTS), 22
    if op == "BitShift":
        dtype, attributes = d.choice(INTS[4:]), {"direction": d.choice(["LEFT", "RIGHT"])}
    if op in ("Add", "Sub", "Mul", "Div", "Mod") and d.random() < 0.3:
        dtype, opset = d.choice(INTS), 22
    if op == "Mod":
        attributes = {"fmod": 1 if dtype.startswith("float") else d.randint(0, 1)}
    a, b = d.array(shape, dtype), d.array(other, dtype)
    if dtype not in FLOATS and op in ("Div", "Mod"):
        b = np.where((b == 0) | (b == np.array(-1).astype(dtype)), np.array(3, dtype), b).astype(dtype)
    if op == "BitShift":
        b = (b % np.array(np.dtype(dtype).itemsize * 8, dtype)).astype(dtype)
    if op == "PRelu":
        return Case(op, [a, b], opset=opset) if dtype.startswith("float") and a.ndim >= b.ndim and \
            np.broadcast_shapes(a.shape, b.shape) == a.shape else None
    pair = [a, b] if d.random() < 0.5 else [b, a]
    if op in ("Div", "Mod", "BitShift", "Pow"):
        pair = [a, b]
    return Case(op, pair, attributes=attributes, opset=opset)


def several(d):
    op = d.choice(["Max", "Min", "Sum", "Mean"])
    dtype = d.choice(["float32", "float64"]) if op in ("Sum", "Mean") else d.choice(FLOATS + INTS[2:4] + INTS[6:])
    shape = d.shape()
    return Case(op, [d.array(d.broadcast(shape), dtype) for _ in range(d.randint(1, 4))], opset=d.choice([22, 13]),
                tolerance=2e-3 if dtype == "float16" else 1e-4)


def where(d):
    shape, dtype = d.shape(), d.choice(FLOATS[:1] + INTS[2:5])
    return Case("Where", [d.array(d.broadcast(shape), "bool"), d.array(d.broadcast(shape), dtype),
                          d.array(d.broadcast(shape), dtype)])


def clip(d):
    dtype = d.choice(["float32", "float64", "int8", "uint8", "int32", "int64", "uint32", "uint64"])
    low, high = sorted([d.array((), dtype, special=0, low=0, high=9), d.array((), dtype, special=0, low=0, high=9)])
    return Case("Clip", [d.array(d.shape(), dtype), d.maybe(np.array(low, dtype), 0.7), d.maybe(np.array(high, dtype), 0.7)],
                opset=d.choice([22, 12]))


def cast(d):
    source, target = d.choice(FLOATS + INTS + ["bool"]), d.choice(FLOATS + INTS + ["bool"])
    special = 0.1 if target in FLOATS + ["bool"] or source not in FLOATS else 0
    x = d.array(d.shape(), source, special=special)
    if source in FLOATS and target not in FLOATS + ["bool"]:
        x = np.abs(x)  # out of range is not defined
    codes = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9,
             "float16": 10, "float64": 11, "uint32": 12, "uint64": 13}
    return Case("Cast", [x], attributes={"to": codes[target]}, opset=d.choice([22, 19, 13]))
