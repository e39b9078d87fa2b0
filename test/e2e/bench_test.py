"""imbrex bench: times, outputs compared before them, and a verdict."""

import json

import cli
import onnx_bytes

QUICK = ["--pairs", "6", "--min-time", "1", "--threads", "1"]


class Bench(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.relu = self.write("relu.onnx", onnx_bytes.relu_model())

    def test_measures_a_model(self):
        report = self.json("bench", self.relu, "--input", "ones", "--dim", "n=2", *QUICK)
        self.assertEqual(len(report["seconds"]), 6)
        self.assertTrue(all(s > 0 for s in report["seconds"]))

    def test_compiles_for_the_dimensions_given(self):
        given = ["bench", self.relu, "--input", "ones", *QUICK]
        self.assertIn("no dimension named 'm'", self.imbrex(*given, "--dim", "m=3", expect=cli.BAD_INPUT)[1])
        self.json(*given, "--dim", "n=1..8,n=4")
        said = self.imbrex(*given, "--dim", "n=1..8", "--dim", "n=9", expect=cli.BAD_INPUT)[1]
        self.assertIn("'n' must be between 1 and 8", said)
        artifact = self.path("relu.imx")
        self.imbrex("compile", self.relu, "-o", artifact)
        self.json(*given, "--dim", "n=3", "--against", artifact)

    def test_compares_outputs_before_times(self):
        report = self.json("bench", self.relu, "--against", self.relu, "--input", "ones", "--dim", "n=2", *QUICK)
        self.assertEqual(report["output_difference"], 0)
        low, high = report["interval"]
        self.assertLessEqual(low, report["speed"])
        self.assertLessEqual(report["speed"], high)
        self.assertEqual(report["different"], report["p"] <= 0.05)

    def test_says_the_verdict_last(self):
        out = self.imbrex("bench", self.relu, "--against", self.relu, "--input", "ones", "--dim", "n=2", *QUICK)[0]
        self.assertRegex(out.splitlines()[-1], r"^bench: speed \d+\.\d+, interval \d+\.\d+\.\.\d+\.\d+, p \S+, n 6$")

    def test_profiles_kernels(self):
        trace = self.path("trace.json")
        report = self.json("bench", self.relu, "--input", "ones", "--dim", "n=2", *QUICK, "--profile", "--trace", trace)
        self.assertEqual(len(report["kernels"]), 1)
        kernel = report["kernels"][0]
        self.assertEqual(kernel["launches"], report["runs"])
        self.assertIn("relu", kernel["sources"][0])
        with open(trace) as file:
            events = json.load(file)["traceEvents"]
        self.assertEqual([e["ph"] for e in events], ["X"])

    def test_says_where_time_goes_for_people(self):
        out = self.imbrex("bench", self.relu, "--input", "ones", "--dim", "n=2", *QUICK, "--profile")[0]
        self.assertRegex(out, r"GFLOP/s")
        self.assertRegex(out, r"\(relu\)")

    def test_refuses_options_that_exclude_each_other(self):
        self.refuses(700, "bench", self.relu, "--profile", "--against", self.relu)
        self.refuses(700, "bench", self.relu, "--trace", "t.json")

    def test_refuses_too_few_pairs(self):
        self.refuses(700, "bench", self.relu, "--input", "ones", "--dim", "n=1", "--pairs", "5")

    def test_refuses_models_without_inputs_for_them(self):
        self.imbrex("bench", self.relu, "--pairs", "6", expect=cli.BAD_INPUT)


if __name__ == "__main__":
    cli.main()
