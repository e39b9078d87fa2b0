"""Modules and contexts."""

import ctypes
import json
import os
from typing import NamedTuple

from ._items import Elements, read_elements
from ._native import CContextOptions, CCounters, CModuleOptions, CPort, CTensor, Library
from ._tensor import NAMES, Tensor, output_of


class Port(NamedTuple):
    """An input or output. `shape` has a name or None where a size depends on the inputs."""

    name: str
    dtype: str
    shape: tuple


class Module:
    """An open artifact. `source`: a path, or the bytes themselves (copied).

    Opening verifies structure and checksums and runs nothing. The first context loads the artifact's
    machine code, which is trusted like a shared library.
    """

    def __init__(self, source, *, verify_constants=False, constants_in_place=False,
                 library=None):
        self._handle = None
        self._library = library if isinstance(library, Library) else (
            Library(library) if library else Library.default())
        options = CModuleOptions(ctypes.sizeof(CModuleOptions), verify_constants, constants_in_place)
        handle = ctypes.c_void_p()
        call = self._library
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            status = call.imbrex_module_from_memory(data, len(data), ctypes.byref(options),
                                                    ctypes.byref(handle))
        else:
            status = call.imbrex_module_open(os.fsencode(source), ctypes.byref(options),
                                             ctypes.byref(handle))
        call.check(status)
        self._handle = handle
        self.inputs = self._ports(call.imbrex_input_count, call.imbrex_input)
        self.outputs = self._ports(call.imbrex_output_count, call.imbrex_output)

    def _ports(self, count, get):
        ports = []
        for index in range(count(self._handle)):
            port = CPort()
            self._library.check(get(self._handle, index, ctypes.byref(port)))
            shape = tuple(
                port.shape[i] if port.shape[i] >= 0 else (port.dim_names[i].decode() or None)
                for i in range(port.rank))
            ports.append(Port(port.name.decode(errors="replace"), NAMES[port.dtype], shape))
        return ports

    @property
    def info(self):
        """Everything `imbrex info` prints, as a dict."""
        return json.loads(self._library.imbrex_module_info(self._handle).decode(errors="replace"))

    def context(self, threads=0, *, prefault=False):
        """A runner; threads 0: as many as the process may use."""
        return Context(self, threads, prefault)

    def __del__(self):
        if self._handle:
            self._library.imbrex_module_close(self._handle)


class Context:
    """Runs a module. One run at a time; make one for each thread."""

    def __init__(self, module, threads=0, prefault=False):
        self._handle = None
        self.module = module
        self._library = module._library
        options = CContextOptions(ctypes.sizeof(CContextOptions), threads, prefault)
        handle = ctypes.c_void_p()
        self._library.check(self._library.imbrex_context_create(
            module._handle, ctypes.byref(options), ctypes.byref(handle)))
        self._handle = handle

    def run(self, inputs):
        """`inputs`: a dict by name, or a list in the order of module.inputs. Returns a dict by name."""
        tensors = [self._tensor(port, value) for port, value in self._pair(inputs)]
        c_inputs = (CTensor * max(1, len(tensors)))()
        for target, tensor in zip(c_inputs, tensors):
            tensor.fill(target)
        outputs = self.module.outputs
        c_outputs = (CTensor * max(1, len(outputs)))()
        self._library.check(self._library.imbrex_run(
            self._handle, c_inputs, len(tensors), c_outputs, len(outputs)))
        return {port.name: output_of(self._library, CTensor.from_buffer_copy(c_outputs[i]),
                                     read_elements)
                for i, port in enumerate(outputs)}

    def _pair(self, inputs):
        ports = self.module.inputs
        if not isinstance(inputs, dict):
            inputs = list(inputs)
            if len(inputs) != len(ports):
                raise ValueError(f"the model has {len(ports)} inputs, not {len(inputs)}")
            return zip(ports, inputs)
        wrong = set(inputs) ^ {port.name for port in ports}
        if wrong:
            raise ValueError(f"wrong or missing inputs: {', '.join(sorted(wrong))}; the model has: "
                             + ", ".join(port.name for port in ports))
        return [(port, inputs[port.name]) for port in ports]

    @staticmethod
    def _tensor(port, value):
        if isinstance(value, Tensor):
            return value
        if port.dtype == "string":
            return Elements.strings(value)
        if port.dtype == "item":
            return Elements.items(value)
        if isinstance(value, (bool, int, float, list, tuple)):
            return Tensor.of(value, port.dtype)
        return Tensor(value)

    @property
    def counters(self):
        """Launches, allocations and slow paths since the context was made, as a dict."""
        counters = CCounters(size=ctypes.sizeof(CCounters))
        self._library.check(
            self._library.imbrex_context_counters(self._handle, ctypes.byref(counters)))
        return {name: getattr(counters, name) for name, _ in CCounters._fields_[2:]}

    def __del__(self):
        if self._handle:
            self._library.imbrex_context_destroy(self._handle)
