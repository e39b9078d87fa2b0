"""Operators of the user's own library: compiled, run, and missed."""

import math
import os

import cli
import onnx_bytes

LIBRARY = os.environ.get("SOFT_CAP", "build/lib/libsoft_cap.so")


def soft_cap(cap=2.0, elem=onnx_bytes.FLOAT):
    node = onnx_bytes.node("SoftCap", ["x"], ["y"], "com.example", [onnx_bytes.real("cap", cap)])
    return onnx_bytes.model([node], [("x", ["n", 2])], [("y", ["n", 2])], domains=["com.example"])


class CustomOps(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("cap.onnx", soft_cap())

    def test_compiles_and_runs(self):
        report = self.json("run", self.model, "--custom-ops", LIBRARY, "--input", "ones", "--dim", "n=3")
        self.assertEqual(report["outputs"][0]["shape"], [3, 2])
        for value in report["outputs"][0]["values"]:
            self.assertAlmostEqual(value, 2 * math.tanh(0.5), places=6)

    def test_all_commands_that_compile_take_libraries(self):
        given = [self.model, "--custom-ops", LIBRARY, "--dim", "n=3"]
        report = self.json("verify", *given)
        self.assertEqual(report["sections"][-1]["section"], "outputs")
        self.assertTrue(report["good"])
        quick = ["--pairs", "6", "--min-time", "1"]
        self.assertEqual(len(self.json("bench", *given, "--input", "ones", *quick)["seconds"]), 6)
        self.assertEqual(self.json("bench", *given, "--input", "ones", *quick, "--against", self.model)["output_difference"], 0)
        self.json("explain", *given, "--profile", "--input", "ones")
        for command in ("verify", "bench", "explain"):
            self.imbrex(command, self.model, "--dim", "n=3", "--input", "ones",
                        *(["--profile"] if command == "explain" else []), expect=cli.UNSUPPORTED)

    def test_says_which_node_lacks_its_library(self):
        said = self.refuses(410, "compile", self.model, "-o", self.path("cap.imx"), expect=cli.UNSUPPORTED)
        self.assertIn("com.example.SoftCap", said)
        self.assertIn("--custom-ops", said)

    def test_an_artifact_names_what_it_needs(self):
        artifact = self.path("cap.imx")
        self.imbrex("compile", self.model, "--custom-ops", LIBRARY, "-o", artifact)
        said = self.refuses(114, "run", artifact, "--input", "ones", "--dim", "n=1", expect=cli.UNSUPPORTED)
        self.assertIn("com.example.SoftCap (version 1) of libsoft_cap.so", said)
        self.imbrex("run", artifact, "--custom-ops", LIBRARY, "--input", "ones", "--dim", "n=1")

    def test_the_library_refuses_while_compiling(self):
        bad = self.write("bad.onnx", soft_cap(cap=-1.0))
        said = self.refuses(413, "compile", bad, "--custom-ops", LIBRARY, "-o", self.path("bad.imx"))
        self.assertIn("'cap' must be positive", said)

    def test_a_library_that_is_none(self):
        self.refuses(140, "compile", self.model, "--custom-ops", self.model)
        self.refuses(140, "run", self.model, "--custom-ops", self.path("no.so"), "--input", "ones")


if __name__ == "__main__":
    cli.main()
