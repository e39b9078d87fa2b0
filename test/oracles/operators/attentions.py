"""Cases of attention and what goes with it, of operator set 23."""

from .draw import Case


def attention(d):
    batch, shared, size = d.randint(1, 2), d.choice([1, 2]), d.choice([2, 4])
    heads = shared * d.choice([1, 2])
    queries, keys, values = d.randint(1, 4), d.randint(1, 5), d.choice([2, 3])
    small = lambda *shape: d.array(shape, special=0, low=-1, high=1)
    q, k, v = small(batch, heads, queries, size), small(batch, shared, keys, size), small(batch, shared, keys, values)
    mask = None
    if d.random() < 0.5:
        mask = d.array((queries, keys), "bool") if d.random() < 0.5 else small(queries, keys)
        if mask.dtype == bool:
            mask[:, 0] = True  # a row without keys is not defined
    attributes = {}
    if d.random() < 0.4 and queries <= keys:
        attributes["is_causal"] = 1
    if d.random() < 0.3:
        attributes["softcap"] = 2.0
    if d.random() < 0.3:
        attributes["scale"] = 0.7
    return Case("Attention", [q, k, v, mask], attributes=attributes, opset=23, tolerance=1e-3)


def rotary(d):
    batch, heads, steps, half = d.randint(1, 2), d.randint(1, 3), d.randint(1, 4), d.choice([1, 2, 3])
    attributes = {"interleaved": d.randint(0, 1)}
    x = d.array((batch, heads, steps, 2 * half), special=0)
    if d.random() < 0.5:
        x = d.array((batch, steps, heads * 2 * half), special=0)
        attributes["num_heads"] = heads
    cache = lambda *shape: d.array(shape, special=0, low=-1, high=1)
    if d.random() < 0.5:
        at = d.array((batch, steps), "int64", special=0, low=0, high=5)
        return Case("RotaryEmbedding", [x, cache(6, half), cache(6, half), at], attributes=attributes, opset=23)
    return Case("RotaryEmbedding", [x, cache(batch, steps, half), cache(batch, steps, half)], attributes=attributes, opset=23)


def root_mean_square(d):
    x = d.array(d.shape(1, 3, zeros=0), special=0)
    axis = d.axis(x.ndim)
    return Case("RMSNormalization", [x, d.array(x.shape[axis:], special=0)], attributes={"axis": axis, "epsilon": 1e-3}, opset=23, tolerance=1e-3)
