"""The C interface (runtime/api/imbrex.h) as ctypes sees it."""

import ctypes
import pathlib
from ctypes import (POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64,
                    c_void_p)

STATUS_NAMES = {
    1: "bad argument", 2: "bad artifact", 3: "unsupported", 4: "busy", 5: "run failed",
    6: "no memory", 70: "internal",
}


class Error(RuntimeError):
    """A call failed; str() says what, why and what to try. `status` is the code of imbrex.h."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
        self.kind = STATUS_NAMES.get(status, "unknown")


class CTensor(Structure):
    _fields_ = [("data", c_void_p), ("dtype", c_uint32), ("rank", c_int32),
                ("shape", POINTER(c_int64)), ("stride", POINTER(c_int64)), ("owner", c_void_p)]


class CPort(Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_uint32), ("rank", c_int32),
                ("shape", POINTER(c_int64)), ("dim_names", POINTER(c_char_p)),
                ("donated", c_int32)]


class CModuleOptions(Structure):
    _fields_ = [("size", c_uint32), ("verify_constants", c_int32), ("constants_in_place", c_int32)]


class CContextOptions(Structure):
    _fields_ = [("size", c_uint32), ("threads", c_int32), ("prefault", c_int32)]


class CCounters(Structure):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32)] + [
        (name, c_uint64)
        for name in ("runs", "launches", "allocations", "allocated_bytes", "arena_bytes",
                     "staged_inputs", "copied_outputs", "copied_results")]


_FUNCTIONS = {
    "imbrex_last_error": (c_char_p, []),
    "imbrex_version": (c_char_p, []),
    "imbrex_module_open": (c_int32, [c_char_p, POINTER(CModuleOptions), POINTER(c_void_p)]),
    "imbrex_module_from_memory":
        (c_int32, [c_void_p, c_size_t, POINTER(CModuleOptions), POINTER(c_void_p)]),
    "imbrex_module_close": (None, [c_void_p]),
    "imbrex_input_count": (c_int32, [c_void_p]),
    "imbrex_output_count": (c_int32, [c_void_p]),
    "imbrex_input": (c_int32, [c_void_p, c_int32, POINTER(CPort)]),
    "imbrex_output": (c_int32, [c_void_p, c_int32, POINTER(CPort)]),
    "imbrex_module_info": (c_char_p, [c_void_p]),
    "imbrex_context_create": (c_int32, [c_void_p, POINTER(CContextOptions), POINTER(c_void_p)]),
    "imbrex_context_destroy": (None, [c_void_p]),
    "imbrex_context_counters": (c_int32, [c_void_p, POINTER(CCounters)]),
    "imbrex_run": (c_int32, [c_void_p, POINTER(CTensor), c_int32, POINTER(CTensor), c_int32]),
    "imbrex_tensor_release": (None, [POINTER(CTensor)]),
}


def _places():
    """Beside this package (installed), then the build folder of a source tree."""
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here, here.parent / "lib", here.parents[1] / "build" / "lib"):
        for name in ("libimbrex-runtime.so.0", "libimbrex-runtime.so"):
            yield folder / name


class Library:
    """The loaded shared library. `path` None: the places above, then where the system's loader looks."""

    _default = None

    def __init__(self, path=None):
        if path is None:
            path = next((p for p in _places() if p.exists()), "libimbrex-runtime.so.0")
        try:
            self.handle = ctypes.CDLL(str(path))
        except OSError as error:
            raise Error(1, f"cannot load the Imbrex runtime; because {error}; "
                           "try Module(..., library=PATH)") from None
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(self.handle, name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)

    @classmethod
    def default(cls):
        if cls._default is None:
            cls._default = cls()
        return cls._default

    def check(self, status):
        if status != 0:
            raise Error(status, self.imbrex_last_error().decode(errors="replace"))
