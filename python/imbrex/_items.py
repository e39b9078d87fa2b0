"""Strings, sequences and maps to and from C: what imbrex.h calls ImbrexString and ImbrexItem.

A sequence is a list, an optional value a list of at most one, a map a dict. What a list of numbers inside of them
holds is told by its first number: bool, i64 or f32; arrays and imbrex.Tensor have their own element type.
"""

import ctypes
import math
from ctypes import POINTER, Structure, c_int32, c_int64, c_uint32, c_void_p

from ._tensor import NAMES, Tensor, dense_view, nested, numpy, shape_of

STRING, ITEM = 24, 25


class CString(Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64)]


class CItem(Structure):
    _fields_ = [("data", c_void_p), ("shape", POINTER(c_int64)), ("rank", c_int32), ("dtype", c_uint32)]


class Elements:
    """A tensor of strings or items as C takes it; keeps what its pointers point at."""

    def __init__(self, code, shape, array, kept):
        self.code, self.shape, self.array, self.kept = code, tuple(shape), array, kept

    @classmethod
    def strings(cls, values):
        """From a str, nested lists of them, or an array of them."""
        if hasattr(values, "tolist"):
            shape, flat = list(values.shape), values.reshape(-1).tolist()
        else:
            shape, flat = shape_of(values)
        array, kept = (CString * max(1, len(flat)))(), []
        for target, text in zip(array, flat):
            if not isinstance(text, (str, bytes)):
                raise TypeError(f"{text!r} is no string")
            data = text.encode() if isinstance(text, str) else text
            kept.append(ctypes.create_string_buffer(data, max(1, len(data))))
            target.data, target.size = ctypes.addressof(kept[-1]), len(data)
        return cls(STRING, shape, array, kept)

    @classmethod
    def items(cls, values):
        """From a list (a sequence), None (an optional without a value) or a dict (a map)."""
        shape = [1, 2] if isinstance(values, dict) else None
        if isinstance(values, dict):
            values = [list(values.keys()), list(values.values())]
        elif values is None:
            values = []
        elif not isinstance(values, (list, tuple)):
            raise TypeError("a sequence is a list, a map a dict, and an optional value a list of at most one")
        array, kept = (CItem * max(1, len(values)))(), [element_of(v) for v in values]
        for target, element in zip(array, kept):
            element.fill_item(target)
        return cls(ITEM, shape or [len(values)], array, kept)

    def fill(self, target):
        target.data, target.dtype = ctypes.addressof(self.array), self.code
        target.rank, target.shape = len(self.shape), (c_int64 * len(self.shape))(*self.shape)

    def fill_item(self, target):
        self.fill(target)


class Numbers:
    """A dense tensor of numbers inside of a sequence or map."""

    def __init__(self, tensor):
        self.tensor = tensor

    def fill_item(self, target):
        self.view = dense_view(self.tensor)  # lives as long as this
        self.view.fill(target)


def element_of(value):
    if isinstance(value, Tensor):
        return Numbers(value)
    if isinstance(value, dict) or value is None:
        return Elements.items(value)
    if hasattr(value, "dtype") and getattr(value.dtype, "kind", "") in "OUST":
        return Elements.strings(value)
    if isinstance(value, (list, tuple)) and any(
            isinstance(v, dict) or v is None or hasattr(v, "shape") for v in value):
        return Elements.items(value)
    if isinstance(value, (bool, int, float, str, bytes, list, tuple)):
        first = value
        while isinstance(first, (list, tuple)):
            first = first[0] if first else 0.0
        if isinstance(first, (str, bytes)):
            return Elements.strings(value)
        kind = "bool" if isinstance(first, bool) else "i64" if isinstance(first, int) else "f32"
        return Numbers(Tensor.of(value, kind))
    return Numbers(Tensor(value))


def text_of(string):
    return ctypes.string_at(string.data, string.size).decode(errors="replace") if string.size else ""


def read_elements(code, shape, address):
    """Strings as an object array (nested lists without numpy); a sequence as a list, a map as a dict."""
    count = math.prod(shape)
    if code == STRING:
        texts = [text_of(s) for s in (CString * count).from_address(address)] if count else []
        if numpy is not None:
            array = numpy.empty(count, dtype=object)
            array[:] = texts
            return array.reshape(shape)
        return nested(texts, shape)
    values = [read_item(item) for item in (CItem * count).from_address(address)] if count else []
    if len(shape) == 2 and len(values) == 2:
        keys, elements = (v.tolist() if hasattr(v, "tolist") else v for v in values)
        return dict(zip(keys, elements))
    return values


def read_item(item):
    """A copy: items are part of their output's memory."""
    shape = tuple(item.shape[i] for i in range(item.rank))
    if item.dtype in (STRING, ITEM):
        return read_elements(item.dtype, shape, item.data)
    return Tensor.copied(NAMES[item.dtype], shape, item.data)
