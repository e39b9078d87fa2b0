"""Cases of operators that move, choose and make elements."""

import numpy as np

from .draw import Case, vector


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
    return Case("Squeeze", [x, vector(axes)] if d.random() < 0.8 else [x], fixed={1}, sized={0})


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
    return Case("Slice", [x] + values, fixed={1, 2, 3, 4} if d.random() < 0.6 else d.choice([{3}, {3, 4}]), sized={1, 2, 4})


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
        return Case(op, [d.array(d.shape(1, 3), d.choice(["float32", "int64", "bool", "int32", "uint8"]), special=0)])
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
