"""The Python package over the runtime's test models. Needs no numpy; uses it where it is there.

    test_runtime.py LIBRARY MODELS
"""

import array
import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import imbrex  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

LIBRARY = MODELS = None


def load(name):
    return imbrex.Module(MODELS / f"{name}.imx", library=LIBRARY)


def plain(value):
    return value.tolist()


class RuntimeTest(unittest.TestCase):
    def test_lists(self):
        module = load("matmul")
        self.assertEqual([p.name for p in module.inputs], ["a", "b"])
        self.assertEqual(module.inputs[0].shape, ("m", "k"))
        out = module.context(threads=1).run({"a": [[1, 2]], "b": [[1, 0, 2], [3, 1, 0]]})
        self.assertEqual(plain(out["out"]), [[14, 4, 4]])

    def test_ragged_lists_are_refused(self):
        for values in ([[1, 2], [3]], [[1], 2], [[1, 2], [3, [4]]], [1, [2]]):
            with self.assertRaises(ValueError):
                imbrex.Tensor.of(values, "f32")
        self.assertEqual(imbrex.Tensor.of([[], []], "f32").shape, (2, 0))

    def test_buffers(self):
        context = load("row_sum").context()
        data = array.array("f", range(8))
        out = context.run([memoryview(data).cast("B").cast("f", (2, 4))])
        self.assertEqual(plain(out["out"]), [6, 22])
        read_only = imbrex.Tensor(bytes(data), "f32", (2, 4))
        self.assertEqual(plain(context.run([read_only])["out"]), [6, 22])
        empty = imbrex.Tensor(b"", "f32", (0, 4))
        self.assertEqual(plain(context.run([empty])["out"]), [])

    def test_scalars_and_several_outputs(self):
        out = load("branch").context().run({"x": [1, 2, 3, 4], "flag": False})
        self.assertEqual(plain(out["out"]), [[11, 22], [33, 44]])
        self.assertEqual(plain(out["same"]), [1, 2, 3, 4])
        out = load("loop").context().run({"x": [1, 2, 3, 4], "count": 9})
        self.assertEqual(plain(out["out"]), [10, 20, 30, 40])

    def test_outputs_outlive_their_context(self):
        out = load("tanh").context().run([[0.0]])["out"]
        self.assertEqual(plain(out), [0])

    def test_errors(self):
        with self.assertRaisesRegex(imbrex.Error, "x holds no NaN") as caught:
            load("row_sum").context().run([[[1, 2, float("nan"), 3]]])
        self.assertEqual(caught.exception.kind, "run failed")
        with self.assertRaisesRegex(imbrex.Error, "input 'x' has rank 1"):
            load("row_sum").context().run([[1.0, 2.0]])
        with self.assertRaisesRegex(ValueError, "wrong or missing inputs: y, z"):
            load("add").context().run({"x": [1.0], "z": [1.0]})
        with self.assertRaisesRegex(imbrex.Error, "not an Imbrex artifact"):
            imbrex.Module(b"nonsense", library=LIBRARY)
        with self.assertRaisesRegex(imbrex.Error, "cannot read"):
            load("nonexistent")
        with self.assertRaises(TypeError):
            load("add").context().run([object(), object()])

    def test_bytes_and_info(self):
        module = imbrex.Module((MODELS / "add.imx").read_bytes(), verify_constants=True,
                               library=LIBRARY)
        self.assertEqual(module.info["model"], "add")
        self.assertEqual(module.info["kernels"][0]["sources"], ["node_1"])
        context = module.context()
        context.run([imbrex.Tensor(bytes(128), "f32", (4, 8))] * 2)
        self.assertEqual(context.counters["launches"], 1)

    def test_threads(self):
        module = load("matmul")
        wrong = []

        def work(n):
            context = module.context(threads=2)
            for _ in range(20):
                out = context.run([[[float(n), 1.0]], [[1.0], [1.0]]])["out"]
                if plain(out) != [[2.0 * n + 2]]:
                    wrong.append(n)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_numpy(self):
        if numpy is None:
            out = load("tanh").context().run([[0.0]])["out"]
            self.assertIsInstance(out, imbrex.Tensor)
            return
        context = load("add").context()
        x = numpy.arange(32, dtype="f4").reshape(8, 4).T
        out = context.run({"x": x, "y": x[:, ::-1]})["out"]
        numpy.testing.assert_array_equal(out, x + x[:, ::-1])
        scalar = load("loop").context().run([numpy.ones(4, "f4"), numpy.array(2)])["out"]
        numpy.testing.assert_array_equal(scalar, numpy.full(4, 3, "f4"))


if __name__ == "__main__":
    LIBRARY = imbrex.Library(sys.argv[1])
    MODELS = pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
