"""Cases of reductions and what is made of them."""

import numpy as np

from .draw import Case, vector


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
    x = d.array(shape, dtype, special=0 if dtype.startswith("int") or op in ("ReduceMax", "ReduceMin") else 0.03)
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
    return Case(op, inputs, attributes=attributes, opset=opset, fixed=fixed, tolerance=1e-3,
                by_reference=0 in x.shape)


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
