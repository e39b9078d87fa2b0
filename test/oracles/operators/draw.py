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
    by_reference: bool = False  # ONNX Runtime is known to be wrong


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
