"""Cases of forms that operators had before: parameters as attributes."""

import numpy as np

from .draw import Case


def older(d):
    return d.choice([squeezed, sliced, parted, clipped, best, padded, grown, dropped, matrix])(d)


def squeezed(d):
    x = d.array(d.shape(1, 4))
    if d.random() < 0.5:
        rank = x.ndim + 1
        axis = d.randrange(rank)
        return Case("Unsqueeze", [x], attributes={"axes": [axis]}, opset=d.choice([7, 9, 11]))
    ones = [k for k, e in enumerate(x.shape) if e == 1]
    return Case("Squeeze", [x], attributes={"axes": ones} if ones and d.random() < 0.7 else {}, opset=d.choice([7, 11]),
                sized={0})


def sliced(d):
    x = d.array(d.shape(1, 4))
    axes = d.sample(range(x.ndim), d.randint(1, x.ndim))
    place = lambda: d.choice([-2**63, 2**63 - 1]) if d.random() < 0.1 else d.randint(-8, 8)
    return Case("Slice", [x], attributes={"starts": [place() for _ in axes], "ends": [place() for _ in axes], "axes": axes},
                opset=d.choice([7, 9]))


def parted(d):
    shape = list(d.shape(1, 4, zeros=0))
    axis, sizes = d.randrange(len(shape)), [d.randint(1, 3) for _ in range(d.randint(1, 3))]
    shape[axis] = sum(sizes)
    return Case("Split", [d.array(shape)], outputs=len(sizes), attributes={"axis": axis, "split": sizes}, opset=d.choice([7, 11]))


def clipped(d):
    attributes = {}
    if d.random() < 0.7:
        attributes["min"] = -1.0
    if d.random() < 0.7:
        attributes["max"] = 1.5
    return Case("Clip", [d.array(d.shape())], attributes=attributes, opset=d.choice([7, 10]))


def best(d):
    shape = d.shape(1, 3, zeros=0)
    axis = d.axis(len(shape))
    return Case("TopK", [d.array(shape, special=0)], outputs=2, attributes={"axis": axis, "k": d.randint(1, shape[axis])},
                opset=d.choice([7, 9]))


def padded(d):
    x = d.array(d.shape(1, 4, zeros=0))
    mode = d.choice(["constant", "reflect", "edge"])
    most = [3 if mode != "reflect" else e - 1 for e in x.shape]
    attributes = {"mode": mode, "pads": [d.randint(0, m) for m in most * 2]}
    if mode == "constant" and d.random() < 0.5:
        attributes["value"] = 2.5
    return Case("Pad", [x], attributes=attributes, opset=d.choice([7, 10]))


def grown(d):
    x = d.array((1, d.randint(1, 2), d.randint(1, 4), d.randint(1, 4)), special=0)
    scales = np.array([1, 1, d.choice([1.0, 2.0, 3.0]), d.choice([1.0, 2.0, 1.5])], np.float32)
    mode = d.choice(["nearest", "linear"])
    if d.random() < 0.5:
        return Case("Upsample", [x, scales], attributes={"mode": mode}, opset=9, fixed={1}, tolerance=1e-3)
    if mode == "nearest" and 1.5 in scales:
        return None  # which element is nearest was said later
    return Case("Resize", [x, scales], attributes={"mode": mode}, opset=10, fixed={1}, tolerance=1e-3)


def dropped(d):
    return Case("Dropout", [d.array(d.shape())], attributes={"ratio": 0.3}, opset=d.choice([7, 10]))


def matrix(d):
    m, k, n = (d.choice([1, 2, 3, 5]) for _ in range(3))
    return Case("Gemm", [d.array((m, k), special=0), d.array((k, n), special=0), d.array(d.choice([(m, n), (n,), (1,)]), special=0)],
                attributes={"alpha": 0.5, "beta": 2.0}, opset=d.choice([7, 9]))
