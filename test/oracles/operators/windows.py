"""Cases of contractions, windows, recurrences, resampling and quantizing."""

import numpy as np

from .draw import Case, vector


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
    op = d.choice(["GridSample", "RoiAlign", "AffineGrid", "NonMaxSuppression", "CenterCropPad", "Col2Im",
                   "MaxRoiPool"])
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
    if op == "MaxRoiPool":
        corners = np.sort(d.array((3, 2, 2), special=0, low=-2, high=12), 1).reshape(3, 4)
        rois = np.concatenate([np.array([[0], [1], [0]], np.float32), corners], 1)
        return Case(op, [d.array((2, 2, 6, 7), special=0), rois],
                    attributes={"pooled_shape": [d.randint(1, 3), d.randint(1, 3)], "spatial_scale": d.choice([1.0, 0.5])}, opset=18)
    if op == "AffineGrid":
        return Case(op, [d.array((2, 2, 3), special=0), vector([2, 1, d.randint(2, 4), d.randint(2, 4)])],
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
