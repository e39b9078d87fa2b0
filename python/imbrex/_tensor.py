"""Tensors to and from C: the buffer protocol on both sides, numpy only where it is there."""

import ctypes
import math
import struct
from ctypes import c_char_p, c_int, c_int64, c_ssize_t, c_void_p

try:
    import numpy
except ImportError:
    numpy = None

# name: (code of runtime/abi/kernel.h, format of the struct module; bf16 travels as 16-bit integers)
DTYPES = {
    "bool": (1, "?"), "i8": (2, "b"), "i16": (3, "h"), "i32": (4, "i"), "i64": (5, "q"),
    "u8": (6, "B"), "u16": (7, "H"), "u32": (8, "I"), "u64": (9, "Q"),
    "f16": (10, "e"), "bf16": (11, "H"), "f32": (12, "f"), "f64": (13, "d"),
    # Narrow types take a byte an element; floats among them are their bits.
    "f8e4m3fn": (14, "B"), "f8e5m2": (15, "B"), "f8e4m3fnuz": (16, "B"), "f8e5m2fnuz": (17, "B"), "f8e8m0": (18, "B"),
    "f4e2m1": (19, "B"), "i4": (20, "b"), "u4": (21, "B"), "i2": (22, "b"), "u2": (23, "B"),
}
NAMES = {code: name for name, (code, _) in DTYPES.items()} | {24: "string", 25: "item"}
_INTEGERS = {(True, 1): "i8", (True, 2): "i16", (True, 4): "i32", (True, 8): "i64",
             (False, 1): "u8", (False, 2): "u16", (False, 4): "u32", (False, 8): "u64"}


def _dtype_of_format(text, item_bytes):
    letter = text.lstrip("@=<") or "B"
    if letter in "bhilqn":
        return _INTEGERS[True, item_bytes]
    if letter in "BHILQNc":
        return _INTEGERS[False, item_bytes]
    found = {"?": "bool", "e": "f16", "f": "f32", "d": "f64"}.get(letter)
    if found is None:
        raise TypeError(f"elements of format '{text}' have no element type in Imbrex")
    return found


class _PyBuffer(ctypes.Structure):
    _fields_ = [("buf", c_void_p), ("obj", ctypes.py_object), ("len", c_ssize_t),
                ("itemsize", c_ssize_t), ("readonly", c_int), ("ndim", c_int), ("format", c_char_p),
                ("shape", ctypes.POINTER(c_ssize_t)), ("strides", ctypes.POINTER(c_ssize_t)),
                ("suboffsets", ctypes.POINTER(c_ssize_t)), ("internal", c_void_p)]


def _address(view):
    """Where a memoryview's first element lies; works for read-only memory, too."""
    buffer = _PyBuffer()
    strided_read_only = 0x18
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer),
                                        strided_read_only)
    address = buffer.buf
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return address


def shape_of(values):
    """The shape of nested lists, and their items in row-major order; ValueError where they form no tensor."""
    shape, first = [], values
    while isinstance(first, (list, tuple)):
        shape.append(len(first))
        first = first[0] if first else None
    flat = [values]
    for depth, length in enumerate(shape):
        for row in flat:
            if not isinstance(row, (list, tuple)) or len(row) != length:
                raise ValueError(f"nested lists do not form a tensor: at depth {depth} one has no {length} items")
        flat = [item for row in flat for item in row]
    return shape, flat


class Tensor:
    """Elements in memory, from any buffer; `dtype` ("f32", "bf16", …) and `shape` reinterpret it."""

    def __init__(self, data, dtype=None, shape=None):
        view = memoryview(data)
        size = struct.calcsize(DTYPES[dtype][1]) if dtype else view.itemsize
        self.dtype = dtype or _dtype_of_format(view.format, view.itemsize)
        dense = dtype is not None or shape is not None or any(s % size for s in view.strides or ())
        if dense and not view.c_contiguous:
            view = memoryview(view.tobytes()).cast("B")
        if shape is None:
            shape = data.shape if hasattr(data, "shape") and not dtype else (
                (view.nbytes // size,) if dtype else memoryview(data).shape)
        self.shape = tuple(int(d) for d in shape)
        if math.prod(self.shape) * size != view.nbytes:
            raise ValueError(
                f"{view.nbytes} bytes do not fit shape {list(self.shape)} of {self.dtype}")
        strided = not dense and not view.c_contiguous
        self.strides = tuple(s // size for s in view.strides) if strided else None
        self.view = view

    @classmethod
    def of(cls, values, dtype):
        """From nested lists of numbers, or one number. ValueError when lists of one level differ in length."""
        shape, flat = shape_of(values)
        if any(isinstance(item, (list, tuple)) for item in flat):
            raise ValueError(f"nested lists do not form a tensor: some are deeper than {len(shape)}")
        data = struct.pack(f"{len(flat)}{DTYPES[dtype][1]}", *flat)
        return cls(data, dtype, shape)

    @classmethod
    def copied(cls, dtype, shape, address):
        """From memory; a numpy array where numpy is installed."""
        data = ctypes.string_at(address, math.prod(shape) * struct.calcsize(DTYPES[dtype][1])) if address else b""
        if numpy is not None:
            return numpy.frombuffer(bytearray(data), dtype=DTYPES[dtype][1]).reshape(shape)
        return cls(data, dtype, shape)

    @property
    def nbytes(self):
        return self.view.nbytes

    def tobytes(self):
        """The elements in row-major order."""
        return self.view.tobytes()

    def tolist(self):
        """Nested lists, or one number for rank 0. bf16 elements come as their 16 bits."""
        count = math.prod(self.shape)
        return nested(list(struct.unpack(f"{count}{DTYPES[self.dtype][1]}", self.tobytes())), self.shape)

    def __repr__(self):
        return f"imbrex.Tensor({self.dtype}, shape={list(self.shape)})"

    def fill(self, target):
        """Describes this tensor in a CTensor; both must live until the call is over."""
        rank = len(self.shape)
        target.data = _address(self.view)
        target.dtype = DTYPES[self.dtype][0]
        target.rank = rank
        target.shape = (c_int64 * rank)(*self.shape)
        if self.strides is not None:
            target.stride = (c_int64 * rank)(*self.strides)


def nested(flat, shape):
    """Row-major items as nested lists of a shape; the one item for rank 0."""
    for axis in range(len(shape) - 1, 0, -1):
        extent = shape[axis]
        flat = [flat[i:i + extent] for i in range(0, len(flat), extent)] if extent else \
            [[] for _ in range(math.prod(shape[:axis]))]
    return flat if shape else flat[0]


def dense_view(tensor):
    """The tensor itself where it is dense, else a copy that is."""
    return tensor if tensor.strides is None else Tensor(tensor.tobytes(), tensor.dtype, tensor.shape)


class _Owner:
    """Releases an output of the runtime when nothing refers to it any more."""

    def __init__(self, library, tensor):
        self.library = library
        self.tensor = tensor

    def __del__(self):
        self.library.imbrex_tensor_release(ctypes.byref(self.tensor))


def output_of(library, c_tensor, read_elements):
    """An output of numbers as a numpy array or a Tensor over the runtime's memory, without a copy; any other as
    `read_elements` copies it."""
    owner = _Owner(library, c_tensor)
    dtype = NAMES[c_tensor.dtype]
    shape = tuple(c_tensor.shape[i] for i in range(c_tensor.rank))
    if dtype not in DTYPES:
        return read_elements(c_tensor.dtype, shape, c_tensor.data)
    count = math.prod(shape) * struct.calcsize(DTYPES[dtype][1])
    memory = (ctypes.c_char * count).from_address(c_tensor.data)
    memory.owner = owner  # every view of the memory keeps it
    if numpy is not None:
        return numpy.frombuffer(memory, dtype=DTYPES[dtype][1]).reshape(shape)
    return Tensor(memory, dtype, shape)
