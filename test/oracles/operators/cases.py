"""Random cases of ONNX's operators with odd shapes and values: a generator for each family.

A generator takes a `Draw` and returns a `Case`, or None where what it drew is not allowed or not defined.
"""

import random
from dataclasses import dataclass, field

import numpy as np

FLOATS = ["float32", "float64", "float16"]
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NEWEST = 22


@dataclass
class Case:
    """One node. `inputs`: arrays, None where absent; those in `fixed` become constants of the model, and the
    sizes of those in `sized` are never left open: a rank depends on them."""

    op: str
    inputs: list
    outputs: int = 1
    attributes: dict = field(default_factory=dict)
    opset: int = NEWEST
    fixed: set = field(default_factory=set)
    sized: set = field(default_factory=set)
    tolerance: float = 1e-4


class Draw(random.Random):
    """Random shapes and values that have broken implementations before."""

    def shape(self, least=0, most=4, zeros=0.08):
        return tuple(0 if self.random() < zeros else self.choice([1, 1, 2, 3, 4, 5, 7])
                     for _ in range(self.randint(least, most)))

    def broadcast(self, shape):
        """A shape that broadcasts with `shape`."""
        kept = list(shape[self.randint(0, len(shape)):] if self.random() < 0.4 else shape)
        return tuple(1 if self.random() < 0.3 else d for d in kept)

    def array(self, shape, dtype="float32", special=0.05, low=None, high=None):
        count = int(np.prod(shape, dtype=np.int64))
        kind = np.dtype(dtype)
        if kind.kind == "b":
            flat = [self.random() < 0.5 for _ in range(count)]
        elif kind.kind in "iu":
            limits = np.iinfo(kind)
            low, high = max(limits.min, -20 if low is None else low), min(limits.max, 20 if high is None else high)
            flat = [self.choice([limits.min, limits.max]) if self.random() < special else self.randint(low, high)
                    for _ in range(count)]
        else:
            flat = [self.real(special, low, high) for _ in range(count)]
        with np.errstate(all="ignore"):
            return np.array(flat, dtype=kind).reshape(shape)

    def real(self, special, low, high):
        if self.random() < special:
            return self.choice([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e-30, 3e4])
        if low is not None:
            return self.uniform(low, high)
        return self.choice([self.gauss(0, 2), float(self.randint(-3, 3)), self.randint(-8, 8) / 2])

    def axis(self, rank):
        return self.randint(-rank, rank - 1)

    def maybe(self, value, chance=0.5):
        return value if self.random() < chance else None


def vector(values):
    return np.array(values, dtype=np.int64)


# --- Element by element

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


# --- Reductions

def reduce(d):
    op = "Reduce" + d.choice(["Sum", "Prod", "Max", "Min", "Mean", "L1", "L2", "LogSum", "LogSumExp", "SumSquare"])
    dtype = d.choice(["float32", "float32", "float64", "int32", "int64"])
    if dtype.startswith("int") and op in ("ReduceMean", "ReduceLogSum", "ReduceLogSumExp", "ReduceL2"):
        return None
    shape = d.shape(1, 4)
    count = d.randint(0, len(shape))
    axes = [a - (len(shape) if d.random() < 0.4 else 0) for a in d.sample(range(len(shape)), count)]
    opset = d.choice([22, 18, 13, 11])
    attributes = {"keepdims": d.randint(0, 1)}
    x = d.array(shape, dtype, special=0.03)
    if 0 in x.shape and op in ("ReduceMean", "ReduceMax", "ReduceMin"):
        return None
    inputs, fixed = [x], set()
    if opset >= 18 or (op == "ReduceSum" and opset >= 13):
        if axes or d.random() < 0.5:
            inputs.append(vector(axes))
            fixed = {1}
        if d.random() < 0.3:
            attributes["noop_with_empty_axes"] = 1
            if not axes and op != "ReduceSum":
                return None  # what an element becomes on its own was clarified late
    elif axes:
        attributes["axes"] = axes
    return Case(op, inputs, attributes=attributes, opset=opset, fixed=fixed, tolerance=1e-3)


def argument(d):
    shape = d.shape(1, 4, zeros=0)
    attributes = {"axis": d.axis(len(shape)), "keepdims": d.randint(0, 1)}
    if d.random() < 0.5:
        attributes["select_last_index"] = d.randint(0, 1)
    return Case(d.choice(["ArgMax", "ArgMin"]), [d.array(shape, d.choice(["float32", "float64", "int32", "uint8", "int8"]),
                                                         special=0)], attributes=attributes, opset=d.choice([22, 13, 12]))


def normal(d):
    op = d.choice(["Softmax", "LogSoftmax", "Hardmax", "LpNormalization"])
    shape = d.shape(1, 4, zeros=0)
    attributes = {} if d.random() < 0.3 else {"axis": d.axis(len(shape))}
    opset = d.choice([22, 13, 11, 9])
    if opset < 13 and attributes.get("axis", 1) < 0 and opset < 11:
        return None
    if op == "LpNormalization":
        attributes["p"] = d.choice([1, 2])
    return Case(op, [d.array(shape, special=0)], attributes=attributes, opset=opset)


def scan(d):
    shape = d.shape(1, 4)
    axis = d.axis(len(shape))
    return Case("CumSum", [d.array(shape, d.choice(["float32", "float64", "int32", "int64"]), special=0),
                           np.array(axis, d.choice(["int32", "int64"]))],
                attributes={"exclusive": d.randint(0, 1), "reverse": d.randint(0, 1)}, fixed={1})


# --- Shapes and places

def movable(d, least=0):
    return d.array(d.shape(least, 4), d.choice(["float32", "int64", "int8", "bool", "float16", "float64"]))


def reshape(d):
    x = movable(d)
    wanted = list(x.shape)
    d.shuffle(wanted)
    if len(wanted) > 1 and d.random() < 0.5:
        wanted[:2] = [wanted[0] * wanted[1]]
    if d.random() < 0.3:
        wanted.insert(d.randint(0, len(wanted)), 1)
    attributes = {}
    if 0 in wanted:
        attributes["allowzero"] = 1
    elif wanted and d.random() < 0.5:
        wanted[d.randrange(len(wanted))] = -1
    return Case("Reshape", [x, vector(wanted)], attributes=attributes, fixed=set(d.choice([[], [1]])), sized={1})


def transpose(d):
    x = movable(d)
    order = list(range(x.ndim))
    d.shuffle(order)
    return Case("Transpose", [x], attributes={"perm": order} if d.random() < 0.8 and order else {})


def squeeze(d):
    x = movable(d, 1)
    if d.random() < 0.5:
        places = d.sample(range(x.ndim + 1), d.randint(1, 2) if x.ndim else 1)
        rank = x.ndim + len(places)
        return Case("Unsqueeze", [x, vector([p - (rank if d.random() < 0.5 else 0) for p in places])], fixed={1})
    ones = [k for k, e in enumerate(x.shape) if e == 1]
    if not ones:
        return None
    axes = [a - (x.ndim if d.random() < 0.5 else 0) for a in d.sample(ones, d.randint(1, len(ones)))]
    return Case("Squeeze", [x, vector(axes)] if d.random() < 0.8 else [x], fixed={1})


def concat(d):
    shape = d.shape(1, 4)
    axis = d.randrange(len(shape))
    parts = []
    dtype = d.choice(["float32", "int64", "bool", "int8"])
    for _ in range(d.randint(1, 4)):
        own = list(shape)
        own[axis] = d.choice([0, 1, 2, 3])
        parts.append(d.array(own, dtype))
    return Case("Concat", parts, attributes={"axis": axis - (len(shape) if d.random() < 0.5 else 0)})


def split(d):
    shape = list(d.shape(1, 4))
    axis = d.randrange(len(shape))
    attributes = {"axis": axis - (len(shape) if d.random() < 0.5 else 0)}
    if d.random() < 0.5:
        sizes = [d.choice([0, 1, 2, 3]) for _ in range(d.randint(1, 4))]
        shape[axis] = sum(sizes)
        return Case("Split", [d.array(shape), vector(sizes)], outputs=len(sizes), attributes=attributes, fixed={1})
    count = d.randint(1, 4)
    shape[axis] = d.randint(count, 7)
    attributes["num_outputs"] = count
    return Case("Split", [d.array(shape)], outputs=count, attributes=attributes)


def slicing(d):
    x = movable(d, 1)
    axes = d.sample(range(x.ndim), d.randint(1, x.ndim))
    edge = [-2**63, 2**63 - 1, -2**31, 2**31 - 1]
    place = lambda: d.choice(edge) if d.random() < 0.15 else d.randint(-9, 9)
    starts, ends = [place() for _ in axes], [place() for _ in axes]
    steps = [d.choice([1, 1, 2, 3, -1, -2, 9, -9]) for _ in axes]
    axes = [a - (x.ndim if d.random() < 0.4 else 0) for a in axes]
    if any(e > 2**30 and s < 0 for e, s in zip(ends, steps)):
        return None  # INT_MAX means the front to ONNX Runtime here, and is clamped by ONNX's text
    kind = d.choice(["int32", "int64"])
    limits = np.iinfo(kind)
    values = [np.array([min(max(v, limits.min), limits.max) for v in row], kind) for row in (starts, ends, axes, steps)]
    return Case("Slice", [x] + values, fixed={1, 2, 3, 4} if d.random() < 0.7 else {3, 4}, sized={1, 2})


def gather(d):
    op = d.choice(["Gather", "GatherElements", "GatherND"])
    shape = d.shape(1, 4, zeros=0)
    x = d.array(shape, d.choice(["float32", "int64", "bool", "uint8", "float64"]))
    kind = d.choice(["int32", "int64"])
    axis = d.randrange(len(shape))
    signed = axis - (len(shape) if d.random() < 0.5 else 0)
    if op == "Gather":
        at = d.array(d.shape(0, 3), kind, special=0, low=-shape[axis], high=shape[axis] - 1)
        return Case(op, [x, at], attributes={"axis": signed})
    if op == "GatherElements":
        own = [e if k == axis else d.randint(0 if d.random() < 0.1 else 1, e) for k, e in enumerate(shape)]
        own[axis] = d.randint(0, 5)
        at = d.array(own, kind, special=0, low=-shape[axis], high=shape[axis] - 1)
        return Case(op, [x, at], attributes={"axis": signed})
    batch = d.randint(0, len(shape) - 1)
    names = d.randint(1, len(shape) - batch)
    outer = shape[:batch] + d.shape(0 if batch else 1, 2)
    columns = [d.array(outer, "int64", special=0, low=-shape[batch + k], high=shape[batch + k] - 1) for k in range(names)]
    return Case(op, [x, np.stack(columns, -1)], attributes={"batch_dims": batch}, sized={1})


def scatter(d):
    shape = d.shape(1, 4, zeros=0)
    x = d.array(shape, d.choice(["float32", "int32", "int64"]), special=0)
    axis = d.randrange(len(shape))
    reduction = d.choice(["none", "add", "mul", "max", "min"])
    attributes = {} if reduction == "none" and d.random() < 0.5 else {"reduction": reduction}
    if d.random() < 0.5:
        own = [d.randint(1, e) for e in shape]
        if reduction == "none":  # each place once
            rows = np.argsort(np.array([d.random() for _ in range(int(np.prod(shape)))]).reshape(shape), axis)
            at = rows[tuple(slice(0, e) for e in own)]
        else:
            at = d.array(own, "int64", special=0, low=-shape[axis], high=shape[axis] - 1)
        attributes["axis"] = axis - (len(shape) if d.random() < 0.5 else 0)
        return Case("ScatterElements", [x, at.astype(np.int64), d.array(at.shape, x.dtype, special=0)],
                    attributes=attributes, opset=d.choice([22, 18]))
    names = d.randint(1, len(shape))
    count = int(np.prod(shape[:names]))
    chosen = d.sample(range(count), d.randint(0, count)) if reduction == "none" else \
        [d.randrange(count) for _ in range(d.randint(0, 5))]
    at = np.array([np.unravel_index(c, shape[:names]) for c in chosen], np.int64).reshape(len(chosen), names)
    return Case("ScatterND", [x, at, d.array((len(chosen),) + shape[names:], x.dtype, special=0)], attributes=attributes)


def pad(d):
    x = d.array(d.shape(1, 4, zeros=0), d.choice(["float32", "int32", "int64", "float64"]))
    mode = d.choice(["constant", "constant", "reflect", "edge", "wrap"])
    low = -1 if d.random() < 0.3 else 0
    axes = d.sample(range(x.ndim), d.randint(1, x.ndim))
    most = lambda a: 3 if mode in ("constant", "edge") else x.shape[a] - 1
    pads = [d.randint(max(low, 1 - x.shape[a] if low else 0), max(0, most(a))) for a in axes] + \
           [d.randint(0, max(0, most(a))) for a in axes]
    if low and mode != "constant":
        return None
    inputs = [x, vector(pads), d.maybe(d.array((), x.dtype, special=0)) if mode == "constant" else None,
              vector([a - (x.ndim if d.random() < 0.5 else 0) for a in axes])]
    if len(axes) == x.ndim and d.random() < 0.5:
        order = np.argsort(axes)
        inputs = [x, vector([pads[k] for k in order] + [pads[len(axes) + k] for k in order])] + inputs[2:3]
    return Case("Pad", inputs, attributes={"mode": mode}, opset=d.choice([22, 19]), fixed={1, 3} if d.random() < 0.7 else {3})


def spread(d):
    x = movable(d)
    op = d.choice(["Tile", "Expand", "Flatten", "Trilu", "Shape", "Size"])
    if op == "Tile":
        return Case(op, [x, vector([d.choice([0, 1, 1, 2, 3]) for _ in x.shape])], fixed=set(d.choice([[], [1]])), sized={1})
    if op == "Expand":
        target = [e if e != 1 or d.random() < 0.3 else d.choice([0, 1, 3]) for e in x.shape]
        target = [1 if d.random() < 0.2 else e for e in target]
        return Case(op, [x, vector(([2] if d.random() < 0.3 else []) + target)], fixed={1})
    if op == "Flatten":
        return Case(op, [x], attributes={"axis": d.randint(-x.ndim, x.ndim)})
    if op == "Trilu":
        if x.ndim < 2 or x.dtype not in (np.float32, np.int64, np.float64):
            return None
        return Case(op, [x, d.maybe(np.array(d.randint(-4, 4), np.int64))], attributes={"upper": d.randint(0, 1)})
    attributes = {}
    if op == "Shape" and d.random() < 0.6:
        attributes = {"start": d.randint(-5, 5), "end": d.randint(-5, 5)}
    return Case(op, [x], attributes=attributes)


def made(d):
    op = d.choice(["Range", "OneHot", "EyeLike", "ConstantOfShape"])
    if op == "Range":
        kind = d.choice(["float32", "int32", "int64", "float64"])
        step = d.choice([1, 2, -1, -3, 0.5] if kind.startswith("f") else [1, 2, -1, -3])
        return Case(op, [np.array(v, kind) for v in (d.randint(-9, 9), d.randint(-9, 9), step)])
    if op == "OneHot":
        depth = d.randint(1, 5)
        at = d.array(d.shape(0, 3), d.choice(["int64", "int32"]), special=0, low=-depth - 1, high=depth + 1)
        return Case(op, [at.astype(np.int64), np.array(depth, np.int64), d.array((2,), d.choice(["float32", "int64"]), special=0)],
                    attributes={"axis": d.randint(-at.ndim - 1, at.ndim)}, fixed={1})
    if op == "EyeLike":
        return Case(op, [d.array((d.randint(0, 5), d.randint(1, 5)))], attributes={"k": d.randint(-5, 5)} | ({"dtype": 7} if d.random() < .5 else {}))
    return Case(op, [vector(d.shape(0, 3))], fixed={0} if d.random() < 0.5 else set(), sized={0})


def blocks(d):
    size = d.choice([1, 2, 3])
    n, c, h, w = d.randint(1, 2), d.randint(1, 3), d.randint(1, 3), d.randint(1, 4)
    if d.random() < 0.5:
        return Case("SpaceToDepth", [d.array((n, c, h * size, w * size))], attributes={"blocksize": size})
    return Case("DepthToSpace", [d.array((n, c * size * size, h, w))],
                attributes={"blocksize": size, "mode": d.choice(["DCR", "CRD"])})


def chosen(d):
    op = d.choice(["TopK", "NonZero", "Compress", "Unique", "ReverseSequence"])
    shape = d.shape(1, 3, zeros=0)
    axis = d.randrange(len(shape))
    signed = axis - (len(shape) if d.random() < 0.5 else 0)
    if op == "TopK":
        x = d.array(shape, d.choice(["float32", "float64", "int64", "int32"]), special=0)
        return Case(op, [x, vector([d.randint(0, shape[axis])])], outputs=2,
                    attributes={"axis": signed, "largest": d.randint(0, 1)}, fixed=set(d.choice([[], [1]])))
    if op == "NonZero":
        return Case(op, [d.array(d.shape(0, 3), d.choice(["float32", "int64", "bool", "int32", "uint8"]), special=0)])
    if op == "Compress":
        flat = d.random() < 0.4
        extent = int(np.prod(shape)) if flat else shape[axis]
        return Case(op, [d.array(shape), d.array((d.randint(0, extent),), "bool")], attributes={} if flat else {"axis": signed})
    if op == "Unique":
        x = d.array(shape, d.choice(["float32", "int64", "int8", "float64"]), special=0, low=-2, high=2)
        x = np.round(x)
        return Case(op, [x + 0], outputs=4, attributes={"sorted": d.randint(0, 1)} | ({} if d.random() < 0.5 else {"axis": signed}))
    shape = (d.randint(1, 4), d.randint(1, 4)) + shape[1:]
    time = d.randint(0, 1)
    return Case(op, [d.array(shape), vector([d.randint(0, shape[time]) for _ in range(shape[1 - time])])],
                attributes={"time_axis": time, "batch_axis": 1 - time})


# --- Contractions, windows, recurrences

def product(d):
    if d.random() < 0.4:
        m, k, n = (d.choice([0, 1, 2, 3, 5]) for _ in range(3))
        ta, tb = d.randint(0, 1), d.randint(0, 1)
        c = d.maybe(d.array(d.choice([(m, n), (n,), (1, n), (m, 1), (1,), ()]), special=0), 0.6)
        return Case("Gemm", [d.array((k, m) if ta else (m, k), special=0), d.array((n, k) if tb else (k, n), special=0), c],
                    attributes={"transA": ta, "transB": tb, "alpha": d.choice([1.0, 0.5]), "beta": d.choice([1.0, 2.0, 0.0])})
    batch = d.shape(0, 2)
    m, k, n = (d.choice([0, 1, 2, 3, 5]) for _ in range(3))
    a = d.broadcast(batch) + (m, k) if d.random() < 0.8 else (k,)
    b = d.broadcast(batch) + (k, n) if d.random() < 0.8 else (k,)
    return Case("MatMul", [d.array(a, dtype := d.choice(["float32", "float64", "int32", "int64"]), special=0), d.array(b, dtype, special=0)])


def einsum(d):
    size = {c: d.choice([1, 2, 3]) for c in "ijkl"}
    form = d.choice(["ij,jk->ik", "ij,jk", "ii->i", "ii", "ij->ji", "ij,ij->", "ijk,jil->kl", "i,j->ij", "...ij,...jk->...ik",
                     "bij,bjk->bik".replace("b", "l"), "ij,j", "ijk->", "iij->j", "i...,i...->...", "ij,kl->"])
    batch = d.shape(0, 2, zeros=0)
    arrays = []
    for term in form.split("->")[0].split(","):
        shape = []
        for c in term.replace("...", "."):
            shape += list(batch) if c == "." else [size[c]]
        arrays.append(d.array(shape, special=0))
    return Case("Einsum", arrays, attributes={"equation": form})


def window(d, op, spatial):
    kernel = [d.randint(1, 3) for _ in range(spatial)]
    attributes = {"kernel_shape": kernel}
    if d.random() < 0.7:
        attributes["strides"] = [d.randint(1, 3) for _ in range(spatial)]
    if d.random() < 0.5 and op != "LpPool":
        attributes["dilations"] = [d.randint(1, 2) for _ in range(spatial)]
    how = d.random()
    if how < 0.5:
        attributes["pads"] = [d.randint(0, k - 1) for k in kernel * 2]
    elif how < 0.8 and "dilations" not in attributes:
        attributes["auto_pad"] = d.choice(["SAME_UPPER", "SAME_LOWER", "VALID"])
    return attributes


def pool(d):
    op = d.choice(["MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"])
    spatial = d.randint(1, 3)
    x = d.array((d.randint(1, 2), d.randint(1, 3)) + tuple(d.randint(4, 8) for _ in range(spatial)), special=0)
    if op.startswith("Global"):
        return Case(op, [x], attributes={"p": d.randint(1, 3)} if op == "GlobalLpPool" else {})
    attributes = window(d, op, spatial)
    if d.random() < 0.4 and "auto_pad" not in attributes and op != "LpPool":
        attributes["ceil_mode"] = 1
    if op == "AveragePool":
        attributes["count_include_pad"] = d.randint(0, 1)
        attributes.pop("dilations", None)
    if op == "LpPool":
        attributes["p"] = d.randint(1, 3)
    outputs = 1
    if op == "MaxPool" and d.random() < 0.4:
        outputs = 2
        if d.random() < 0.5 and "dilations" not in attributes:
            attributes["storage_order"] = 1 if spatial == 2 else 0
    return Case(op, [x], outputs=outputs, attributes=attributes, opset=d.choice([22, 19, 12] if op != "LpPool" else [22, 18]))


def conv(d):
    spatial = d.randint(1, 3)
    group = d.choice([1, 1, 2, 3])
    into, out = group * d.randint(1, 2), group * d.randint(1, 3)
    attributes = window(d, "Conv", spatial) | {"group": group}
    x = d.array((d.randint(1, 2), into) + tuple(d.randint(5, 8) for _ in range(spatial)), special=0)
    bias = d.maybe(d.array((out,), special=0))
    kernel = tuple(attributes["kernel_shape"])
    if d.random() < 0.3:
        del attributes["kernel_shape"]
    if d.random() < 0.6:
        w = d.array((out, into // group) + kernel, special=0)
        return Case("Conv", [x, w, bias], attributes=attributes, fixed={1} if d.random() < 0.5 else set(), tolerance=1e-3)
    attributes.pop("auto_pad", None)
    w = d.array((into, out // group) + kernel, special=0)
    strides = attributes.get("strides", [1] * spatial)
    if d.random() < 0.3:
        attributes["output_padding"] = [d.randint(0, s - 1) for s in strides]
    return Case("ConvTranspose", [x, w, bias], attributes=attributes, tolerance=1e-3)


def norms(d):
    op = d.choice(["BatchNormalization", "InstanceNormalization", "LayerNormalization", "LRN", "GroupNormalization",
                   "MeanVarianceNormalization"])
    c = d.choice([1, 2, 4])
    x = d.array((d.randint(1, 2), c) + tuple(d.randint(1, 4) for _ in range(d.randint(1, 2))), special=0)
    vec = lambda n: d.array((n,), special=0, low=0.5, high=2)
    if op == "BatchNormalization":
        return Case(op, [x, vec(c), vec(c), vec(c), vec(c)], attributes={"epsilon": 1e-3}, opset=d.choice([22, 15, 9]))
    if op == "InstanceNormalization":
        return Case(op, [x, vec(c), vec(c)], tolerance=1e-3)
    if op == "GroupNormalization":
        return Case(op, [x, vec(c), vec(c)], attributes={"num_groups": d.choice([1, c])}, opset=21, tolerance=1e-3)
    if op == "LayerNormalization":
        axis = d.axis(x.ndim)
        shape = x.shape[axis:]
        return Case(op, [x, d.array(shape, special=0), d.maybe(d.array(shape, special=0))], attributes={"axis": axis}, tolerance=1e-3)
    if op == "LRN":
        x = d.array((1, c, 3, 3), special=0)
        return Case(op, [x], attributes={"size": d.choice([1, 2, 3, 5]), "alpha": 0.1, "beta": 0.6, "bias": 1.5})
    return Case(op, [d.array((2, c, 3, 2), special=0)], tolerance=1e-3)


def recurrent(d):
    op = d.choice(["LSTM", "GRU", "RNN"])
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    way = d.choice(["forward", "reverse", "bidirectional"])
    dirs = 2 if way == "bidirectional" else 1
    steps, batch, inner, hidden = d.randint(1, 7), d.randint(1, 3), d.randint(1, 3), d.randint(1, 4)
    small = lambda shape: d.array(shape, special=0, low=-1, high=1)
    lens = np.array([d.randint(1, steps) for _ in range(batch)], np.int32) if d.random() < 0.4 else None
    inputs = [small((steps, batch, inner)), small((dirs, gates * hidden, inner)), small((dirs, gates * hidden, hidden)),
              d.maybe(small((dirs, 2 * gates * hidden))), lens, d.maybe(small((dirs, batch, hidden)))]
    outputs = 2
    if op == "LSTM":
        outputs = 3
        inputs += [d.maybe(small((dirs, batch, hidden))), d.maybe(small((dirs, 3 * hidden)), 0.3)]
    attributes = {"hidden_size": hidden, "direction": way}
    if d.random() < 0.3:
        attributes["clip"] = 0.5
    if op == "GRU":
        attributes["linear_before_reset"] = d.randint(0, 1)
    return Case(op, inputs, outputs=outputs, attributes=attributes, fixed={1, 2} if d.random() < 0.5 else set(), tolerance=1e-3)


def resize(d):
    spatial = d.randint(1, 2)
    x = d.array((1, d.randint(1, 2)) + tuple(d.randint(1, 6) for _ in range(spatial)), special=0)
    mode = d.choice(["nearest", "linear", "cubic"])
    if mode == "cubic" and spatial != 2:
        return None
    attributes = {"mode": mode, "coordinate_transformation_mode": d.choice(
        ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"])}
    if mode == "nearest":
        attributes["nearest_mode"] = d.choice(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    if mode == "cubic":
        attributes |= {"cubic_coeff_a": d.choice([-0.75, -0.5]), "exclude_outside": d.randint(0, 1)}
    if mode == "linear" and d.random() < 0.3:
        attributes["antialias"] = 1
    if d.random() < 0.5:
        scales = np.array([1, 1] + [d.choice([0.5, 1.0, 1.5, 2.0, 0.75, 3.3]) for _ in range(spatial)], np.float32)
        whole = all(np.floor(e * s) == e * s for e, s in zip(x.shape, scales))
        if attributes["coordinate_transformation_mode"] == "align_corners" and not whole:
            return None  # ONNX's own tests divide by the size before it is rounded, ONNX Runtime after
        if any(np.floor(np.float32(e) * s) < 1 for e, s in zip(x.shape, scales)):
            return None
        return Case("Resize", [x, None, scales], attributes=attributes, opset=19, fixed={2}, tolerance=1e-3)
    sizes = vector(x.shape[:2] + tuple(d.randint(1, 8) for _ in range(spatial)))
    return Case("Resize", [x, None, None, sizes], attributes=attributes, opset=19, fixed={3}, tolerance=1e-3)


def quantize(d):
    op = d.choice(["QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "QLinearMatMul"])
    kind = d.choice(["int8", "uint8"])
    scale = lambda shape=(): d.array(shape, special=0, low=0.01, high=0.5)
    if op == "DynamicQuantizeLinear":
        return Case(op, [d.array(d.shape(0, 3, zeros=0), special=0)], outputs=3)
    if op in ("QuantizeLinear", "DequantizeLinear"):
        shape = d.shape(1, 4, zeros=0)
        axis = d.randrange(len(shape))
        whole = d.random() < 0.5
        own = () if whole else (shape[axis],)
        x = d.array(shape, special=0.02) if op == "QuantizeLinear" else d.array(shape, kind)
        if op == "QuantizeLinear" and np.isnan(x).any():
            return None
        zero = d.maybe(d.array(own, kind, special=0, low=0, high=9), 0.8)
        if zero is None and op == "DequantizeLinear" and kind == "uint8":
            return None
        attributes = {} if whole else {"axis": axis - (len(shape) if d.random() < 0.5 else 0)}
        return Case(op, [x, scale(own), zero], attributes=attributes, opset=d.choice([22, 13]))
    m, k, n = (d.choice([1, 2, 3, 5]) for _ in range(3))
    other = d.choice(["int8", "uint8"])
    a, b = d.array((m, k), kind), d.array((k, n), other)
    za, zb = d.array((), kind, special=0, low=0, high=9), d.array((), other, special=0, low=0, high=9)
    if op == "MatMulInteger":
        return Case(op, [a, b, d.maybe(za), d.maybe(zb)])
    b = d.array((k, n), kind)
    return Case(op, [a, scale(), za, b, scale(), d.array((), kind, special=0, low=0, high=9), scale(),
                     d.array((), kind, special=0, low=0, high=9)], tolerance=1.01)


def pictures(d):
    op = d.choice(["GridSample", "RoiAlign", "AffineGrid", "NonMaxSuppression", "CenterCropPad", "Col2Im"])
    if op == "GridSample":
        x = d.array((1, 2, d.randint(1, 5), d.randint(1, 5)), special=0)
        grid = d.array((1, d.randint(1, 4), d.randint(1, 4), 2), special=0, low=-1.6, high=1.6)
        return Case(op, [x, grid], attributes={"mode": d.choice(["linear", "nearest", "cubic"]), "align_corners": d.randint(0, 1),
                                               "padding_mode": d.choice(["zeros", "border", "reflection"])}, opset=20, tolerance=1e-3)
    if op == "RoiAlign":
        rois = np.sort(d.array((3, 2, 2), special=0, low=0, high=9), 1).reshape(3, 4)
        return Case(op, [d.array((2, 2, 6, 7), special=0), rois, vector([0, 1, 0])],
                    attributes={"mode": d.choice(["avg", "max"]), "output_height": d.randint(1, 3), "output_width": d.randint(1, 3),
                                "sampling_ratio": d.randint(0, 3), "spatial_scale": d.choice([1.0, 0.5]),
                                "coordinate_transformation_mode": d.choice(["half_pixel", "output_half_pixel"])}, tolerance=1e-3)
    if op == "AffineGrid":
        return Case(op, [d.array((2, 2, 3), special=0), vector([2, 1, d.randint(1, 4), d.randint(1, 4)])],
                    attributes={"align_corners": d.randint(0, 1)}, fixed={1})
    if op == "NonMaxSuppression":
        boxes = d.array((1, 6, 4), special=0, low=0, high=4)
        return Case(op, [boxes, d.array((1, 2, 6), special=0, low=0, high=1), vector([d.randint(1, 6)]),
                         np.array([d.choice([0.1, 0.5])], np.float32), np.array([d.choice([0.0, 0.4])], np.float32)],
                    attributes={"center_point_box": d.randint(0, 1)})
    if op == "CenterCropPad":
        x = d.array(d.shape(1, 3, zeros=0))
        axes = d.sample(range(x.ndim), d.randint(1, x.ndim))
        return Case(op, [x, vector([d.randint(1, 7) for _ in axes])], fixed={1},
                    attributes={"axes": [a - (x.ndim if d.random() < 0.5 else 0) for a in axes]})
    return Case(op, [d.array((1, 4, 9), special=0), vector([4, 4]), vector([2, 2])], fixed={1, 2})


FAMILIES = [unary, unary, activation, binary, binary, several, where, clip, cast, reduce, reduce, argument, normal, scan, reshape,
            transpose, squeeze, concat, split, slicing, slicing, gather, gather, scatter, pad, spread, made, blocks, chosen,
            product, einsum, pool, pool, conv, conv, norms, recurrent, resize, resize, quantize, pictures]
