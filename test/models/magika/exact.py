"""How far single precision can be trusted for a file, from the magika model in double precision.

The model's normalisation subtracts the square of a mean from a mean of squares over 512 positions. In single
precision that costs some files (small ones, mostly padding) two to four digits of their score: ONNX Runtime then
gives scores that differ by up to 3e-3 when only the batch size changes.
"""

import numpy
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

# A relative error of summing 512 positive numbers one after the other in single precision. Rounding at random gives
# 8 * 2**-24 in root mean square; padding makes equal numbers, whose rounding errors add up.
SUM_ERROR = 32 * 2.0**-24


class GlobalMaxPool(OpRun):
    """The standard keeps the reduced dimensions as ones; the package's evaluator loses them for 3-D input."""

    def _run(self, x):
        return (x.max(axis=tuple(range(2, x.ndim)), keepdims=True),)


class ReduceSum(OpRun):
    """A sum with the relative error `scale`, drawn anew for each result."""

    random = numpy.random.default_rng(1)
    scale = 0.0

    def _run(self, x, axes, keepdims=1, noop_with_empty_axes=0):
        exact = x.sum(axis=tuple(axes), keepdims=bool(keepdims))
        return (exact * (1 + self.scale * self.random.standard_normal(exact.shape)),)


class ExactModel:
    def __init__(self, path):
        model = onnx.load(path)
        for tensor in model.graph.initializer:
            if tensor.data_type == onnx.TensorProto.FLOAT:
                values = numpy_helper.to_array(tensor).astype(numpy.float64)
                tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
        for node in model.graph.node:
            for attribute in node.attribute:
                if (node.op_type, attribute.name, attribute.i) == ("Cast", "to", 1):
                    attribute.i = onnx.TensorProto.DOUBLE
        self.evaluator = ReferenceEvaluator(model, new_ops=[GlobalMaxPool, ReduceSum])

    def scores(self, tokens, sum_error=0.0):
        ReduceSum.scale = sum_error
        return self.evaluator.run(["target_label"], {"bytes": tokens[None, :]})[0][0]

    def spread(self, tokens, others):
        """The largest distance from the exact best score: of `others`, and of four runs with inexact sums."""
        exact = self.scores(tokens)
        best = int(exact.argmax())
        inexact = [float(self.scores(tokens, SUM_ERROR)[best]) for _ in range(4)]
        return max(abs(score - float(exact[best])) for score in [*inexact, *others])
