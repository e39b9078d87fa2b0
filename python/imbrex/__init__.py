"""Imbrex: run compiled models (.imx).

    module = imbrex.Module("model.imx")
    context = module.context()
    outputs = context.run({"x": array})        # a dict by output name

Inputs are anything with the buffer protocol (numpy arrays, array.array, memoryview), imbrex.Tensor, numbers or
nested lists of them. Outputs are numpy arrays where numpy is installed, imbrex.Tensor otherwise. Strings go in as str,
nested lists or arrays of them, and come out as object arrays (nested lists without numpy). A sequence is a list, an
optional value a list of at most one, a map a dict. A
context runs one model at a time; make one for each thread.
"""

from ._native import Error, Library
from ._tensor import Tensor
from .module import Context, Module, Port

__all__ = ["Context", "Error", "Library", "Module", "Port", "Tensor"]
__version__ = "0.1.0"
