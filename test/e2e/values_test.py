"""Strings, sequences and optional values from Python into a compiled model and back."""

import os
import pathlib
import subprocess
import sys

import cli
import onnx_bytes as onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import imbrex  # noqa: E402

RUNTIME = os.environ.get("IMBREX_RUNTIME", "build/lib/libimbrex-runtime.so")
try:
    import numpy
except ImportError:
    numpy = None


def plain(value):
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value.tolist() if hasattr(value, "tolist") else value


class Values(cli.CommandTest):
    def compiled(self, nodes, inputs, outputs):
        model = self.write("m.onnx", onnx.model(nodes, inputs, outputs, opset=20))
        artifact = self.path("m.imx")
        done = subprocess.run([os.path.join(cli.BIN, "imbrex-compile"), model, "-o", artifact],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return imbrex.Module(artifact, library=RUNTIME).context(threads=1)

    def test_strings(self):
        words = onnx.tensor_type(["n", "m"], onnx.STRING)
        context = self.compiled([onnx.node("StringConcat", ["a", "b"], ["y"])], [("a", words), ("b", words)],
                                [("y", words)])
        y = context.run([[["ä", ""], ["c\0d", "x" * 300]], [["1", ""], ["2", "3"]]])["y"]
        self.assertEqual(plain(y), [["ä1", ""], ["c\0d2", "x" * 300 + "3"]])
        self.assertEqual(plain(context.run({"a": [[], []], "b": [[], []]})["y"]), [[], []])
        with self.assertRaises(TypeError):
            context.run([[["a"]], [[1]]])
        with self.assertRaises(ValueError):
            context.run([[["a", "b"], ["c"]], [["a"]]])
        if numpy is not None:
            for kind in (object, "U4"):
                a = numpy.array([["x", "y"], ["z", "w"]], dtype=kind).T
                self.assertEqual(plain(context.run([a, a])["y"]), [["xx", "zz"], ["yy", "ww"]])

    def test_a_scalar_string(self):
        word = onnx.tensor_type([], onnx.STRING)
        context = self.compiled([onnx.node("StringConcat", ["a", "a"], ["y"])], [("a", word)], [("y", word)])
        self.assertEqual(plain(context.run({"a": "na"})["y"]), "nana")

    def test_sequences(self):
        floats = onnx.sequence_type(["n"])
        context = self.compiled([onnx.node("SequenceInsert", ["s", "x"], ["y"])],
                                [("s", floats), ("x", ["k"])], [("y", floats)])
        y = context.run([[[1.0, 2.0], imbrex.Tensor(b"\0" * 4, "f32", (1,))], [3.0]])["y"]
        self.assertEqual([plain(v) for v in y], [[1, 2], [0], [3]])
        self.assertEqual([plain(v) for v in context.run([[], [3.0]])["y"]], [[3]])
        with self.assertRaises(TypeError):
            context.run([3.0, [1.0]])

    def test_sequences_of_strings(self):
        words = onnx.sequence_type(["n"], onnx.STRING)
        context = self.compiled([onnx.node("SequenceErase", ["s"], ["y"])], [("s", words)], [("y", words)])
        self.assertEqual([plain(v) for v in context.run([[["a", "b"], ["c"]]])["y"]], [["a", "b"]])

    def test_optionals(self):
        maybe = onnx.text(9, onnx.text(1, onnx.tensor_type([2])))
        context = self.compiled([onnx.node("OptionalHasElement", ["x"], ["y"])], [("x", maybe)],
                                [("y", onnx.tensor_type([], 9))])
        self.assertEqual(bool(plain(context.run([None])["y"])), False)
        self.assertEqual(bool(plain(context.run([[[1.0, 2.0]]])["y"])), True)


if __name__ == "__main__":
    cli.main()
