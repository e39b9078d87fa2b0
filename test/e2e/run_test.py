"""imbrex run and imbrex compile: from a model to numbers."""

import json
import os
import struct

import cli
import onnx_bytes


def npy(values, shape, dtype="<f4"):
    """The bytes of an .npy file of floats."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}f", *values)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


class Run(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("relu.onnx", onnx_bytes.relu_model())
        self.input = self.write("x.npy", npy([-1, 2, -3, 4, 5, -6, 7, -8], [2, 4]))

    def test_profiles_operators(self):
        model, trace = self.write("relu.onnx", onnx_bytes.relu_model()), self.path("trace.json")
        report = self.json("run", model, "--input", "ones", "--dim", "n=2", "--profile", "--trace", trace)
        self.assertIn("relu", report["profile"]["kernels"][0]["sources"][0])
        with open(trace) as file:
            self.assertEqual(len(json.load(file)["traceEvents"]), 1)
        self.assertRegex(self.imbrex("run", model, "--input", "ones", "--dim", "n=2", "--profile")[0], r"\(relu\)")
        self.refuses(700, "run", model, "--input", "ones", "--dim", "n=2", "--trace", trace)

    def test_gives_the_outputs(self):
        report = self.json("run", self.model, "--input", f"x={self.input}")
        self.assertEqual(report["outputs"][0]["name"], "y")
        self.assertEqual(report["outputs"][0]["shape"], [2, 4])
        self.assertEqual(report["outputs"][0]["values"], [0, 2, 0, 4, 5, 0, 7, 0])

    def test_prints_outputs_for_people(self):
        out = self.imbrex("run", self.model, "--input", f"x={self.input}")[0]
        self.assertEqual(out, "y  f32[2,4]  min 0 max 7 mean 2.25  [0, 2, 0, 4, 5, 0, 7, 0]\n")

    def kept_models(self):
        return [n for n in os.listdir(self.path("cache/imbrex")) if n.endswith(".imx")]

    def test_compiles_once(self):
        other = self.write("more.npy", npy([1] * 12, [3, 4]))
        self.assertTrue(self.json("run", self.model, "--input", f"x={self.input}")["compiled_now"])
        self.assertFalse(self.json("run", self.model, "--input", f"x={other}")["compiled_now"])
        self.assertEqual(len(self.kept_models()), 1)

    def test_compiles_for_the_dimensions_given(self):
        self.assertTrue(self.json("run", self.model, "--input", "ones", "--dim", "n=1")["compiled_now"])
        report = self.json("run", self.model, "--input", "ones", "--dim", "n=3")
        self.assertTrue(report["compiled_now"])
        self.assertEqual(report["outputs"][0]["shape"], [3, 4])
        self.assertIn("[0, 2, 0, 4, 5, 0, 7, 0]",
                      self.imbrex("run", self.model, "--input", f"x={self.input}", "--dim", "n=1..64")[0])
        self.assertIn("the dimension 'n' must be between 8 and 64 and a multiple of 8",
                      self.imbrex("run", self.model, "--input", f"x={self.input}", "--dim", "n=8..64%8",
                                  expect=cli.BAD_INPUT)[1])
        self.assertIn("no dimension named 'm'", self.imbrex("run", self.model, "--input", "ones", "--dim", "m=3",
                                                            expect=cli.BAD_INPUT)[1])
        self.refuses(721, "run", self.model, "--input", "ones", "--dim", "n")
        artifact = self.path("relu.imx")
        self.imbrex("compile", self.model, "-o", artifact)
        self.refuses(721, "run", artifact, "--input", "ones", "--dim", "m=1")
        self.refuses(721, "run", artifact, "--input", "ones", "--dim", "n=1..8")

    def test_writes_outputs(self):
        self.imbrex("run", self.model, "--input", f"x={self.input}", "--output", self.path("all"),
                    "--output", f"y={self.path('one.npy')}")
        with open(self.path("one.npy"), "rb") as file:
            self.assertEqual(file.read()[-32:], struct.pack("<8f", 0, 2, 0, 4, 5, 0, 7, 0))
        self.imbrex("run", self.model, "--input", f"x={self.input}", "--output", self.path("all"))
        self.assertEqual(os.listdir(self.path("all")), ["y.npy"])

    def test_makes_up_the_same_values_for_the_same_seed(self):
        first, again, other = (
            self.json("run", self.model, "--input", f"x=random:{seed}", "--dim", "n=4")["outputs"]
            for seed in (7, 7, 8))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_repeats(self):
        report = self.json("run", self.model, "--input", "ones", "--dim", "n=2", "--repeat", "5")
        self.assertEqual(len(report["ns"]), 5)
        self.assertRegex(self.imbrex("run", self.model, "--input", "ones", "--dim", "n=2", "--repeat", "5",
                                     "--threads", "1")[0], r"(?m)^time  median .* n 5$")

    def test_compiles_a_damaged_file_of_the_cache_again(self):
        folder = self.path("cache/imbrex")
        self.json("run", self.model, "--input", "ones", "--dim", "n=1")
        artifact = os.path.join(folder, self.kept_models()[0])
        with open(artifact, "r+b") as file:
            file.seek(os.path.getsize(artifact) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 0xFF]))
        self.assertTrue(self.json("run", self.model, "--input", "ones", "--dim", "n=1")["compiled_now"])
        self.assertFalse(self.json("run", self.model, "--input", "ones", "--dim", "n=1")["compiled_now"])

    def test_runs_without_a_cache_and_says_so(self):
        self.write("cache", b"")
        out, said = self.imbrex("run", self.model, "--input", f"x={self.input}")
        self.assertIn("[0, 2, 0, 4, 5, 0, 7, 0]", out)
        self.assertIn("remark[E0731]: the compiled model is not kept", said)
        os.remove(self.path("cache"))
        os.makedirs(self.path("cache/imbrex"))
        os.chmod(self.path("cache/imbrex"), 0o777)
        self.assertIn("other users can write", self.imbrex("run", self.model, "--input", f"x={self.input}")[1])
        self.assertEqual(os.listdir(self.path("cache/imbrex")), [])

    def test_refuses_options_that_contradict_each_other(self):
        self.refuses(722, "run", self.model, "--input", "x=ones", "--input", "x=zeros", "--dim", "n=1")
        self.refuses(726, "run", self.model, "--input", f"x={self.input}", "--output", "y=a.npy", "--output", "y=b.npy")
        self.refuses(726, "run", self.model, "--input", f"x={self.input}", "--output", f"y={self.input}")
        for repeat in ("0", "-1", "1000000001", "99999999999999999999"):
            self.refuses(700, "run", self.model, "--input", "ones", "--dim", "n=1", "--repeat", repeat)

    def test_runs_a_compiled_artifact(self):
        artifact = self.path("relu.imx")
        self.imbrex("compile", self.model, "-o", artifact, "--no-cache")
        report = self.json("run", artifact, "--input", f"x={self.input}")
        self.assertEqual(report["outputs"][0]["values"], [0, 2, 0, 4, 5, 0, 7, 0])
        self.assertFalse(os.path.exists(self.path("cache")))
        info = self.json("info", artifact)
        self.assertEqual(info["kind"], "artifact")
        self.imbrex("verify", artifact)

    def test_says_which_inputs_are_missing(self):
        self.assertIn("no value for x", self.refuses(723, "run", self.model))

    def test_says_which_sizes_are_open(self):
        self.assertIn("--dim n=1", self.refuses(724, "run", self.model, "--input", "zeros"))

    def test_refuses_names_that_the_model_lacks(self):
        self.refuses(722, "run", self.model, "--input", "z=ones")
        self.refuses(401, "run", self.model, "--input", "ones", "--dim", "m=1")
        self.refuses(726, "run", self.model, "--input", f"x={self.input}", "--output", "z=z.npy")

    def test_refuses_a_file_of_another_shape(self):
        wrong = self.write("wrong.npy", npy([1, 2, 3], [3]))
        self.assertIn("f32[3]", self.refuses(725, "run", self.model, "--input", f"x={wrong}"))

    def test_refuses_a_damaged_artifact(self):
        artifact = self.path("relu.imx")
        self.imbrex("compile", self.model, "-o", artifact)
        with open(artifact, "r+b") as file:
            file.seek(80)
            file.write(b"\xff\xff\xff\xff")
        self.imbrex("run", artifact, "--input", "ones", "--dim", "n=1", expect=cli.BAD_INPUT)

    def test_compiles_for_a_shape(self):
        report = self.json("run", self.model, "--input", "ones", "--input-shape", "x=3x4")
        self.assertEqual(report["outputs"][0]["shape"], [3, 4])
        self.refuses(727, "run", self.model, "--input", "ones", "--input-shape", "x")

    def test_lists_operators_that_it_does_not_have(self):
        model = self.write("unknown.onnx", onnx_bytes.unknown_model())
        self.assertIn("NoSuchOperator", self.imbrex("run", model, "--input", "ones", expect=cli.UNSUPPORTED)[1])
        self.imbrex("compile", model, "-o", self.path("unknown.imx"), expect=cli.UNSUPPORTED)
        self.assertFalse(os.path.exists(self.path("unknown.imx")))

    def test_help_lists_every_flag(self):
        out = self.imbrex("run", "--help")[0]
        for flag in ("MODEL", "--input", "--dim", "--input-shape", "--output", "--threads", "--repeat", "--json", "--help"):
            self.assertIn(flag, out)


if __name__ == "__main__":
    cli.main()
