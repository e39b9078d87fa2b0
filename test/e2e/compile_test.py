"""imbrex compile: what it takes, what it writes, what it refuses."""

import os

import cli
import onnx_bytes


class Compile(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("relu.onnx", onnx_bytes.relu_model())
        self.artifact = self.path("relu.imx")

    def compile(self, *arguments):
        return self.json("compile", self.model, "-o", self.artifact, *arguments)

    def test_reports_what_it_made(self):
        report = self.compile()
        self.assertEqual(report["kernels"], 1)
        self.assertEqual(report["host_ops"], 0)
        self.assertGreater(report["code_bytes"], 0)
        self.assertEqual(list(report["phases_ms"])[0], "import")
        self.assertEqual(list(report["phases_ms"])[-1], "write")

    def test_leaves_in_the_file_what_is_only_gathered(self):
        for axis, gathered in (0, 64 * 64 * 4), (1, 0):  # rows are picked; of columns, all rows are read
            artifact = self.path("gather.imx")
            self.imbrex("compile", self.write("gather.onnx", onnx_bytes.gather_model(axis)), "-o", artifact)
            info = self.json("info", artifact)
            self.assertEqual(info["gathered_constant_bytes"], gathered)
            run = self.json("run", artifact, "--input", "at=ones", "--dim", "n=1")
            first = 64.0 if axis == 0 else 1.0
            self.assertEqual(run["outputs"][0]["values"][0], first)

    def test_prints_one_line_or_the_time_of_each_phase(self):
        out = self.imbrex("compile", self.model, "-o", self.artifact)[0]
        self.assertRegex(out, r"^\S+relu\.imx: 1 kernels, 0 host operations, .* s\n$")
        out = self.imbrex("compile", self.model, "-o", self.artifact, "--time")[0]
        self.assertRegex(out, r"(?m)^  fuse +\d+\.\d ms$")
        self.assertEqual(self.imbrex("compile", self.model, "-o", self.artifact, "--quiet")[0], "")

    def test_keeps_machine_code_between_compilations(self):
        first = self.compile()
        self.assertEqual(first["code_parts_compiled"], first["code_parts"])
        self.assertEqual(self.compile()["code_parts_compiled"], 0)
        self.assertEqual(self.compile("--no-cache")["code_parts_compiled"], first["code_parts"])
        self.assertEqual(self.compile("--cache", self.path("other"))["code_parts_compiled"],
                         first["code_parts"])
        self.assertTrue(os.listdir(self.path("other")))
        self.refuses(2, "compile", self.model, "--no-cache", "--cache", self.path("other"))

    def test_ignores_kept_machine_code_that_is_damaged(self):
        folder = self.path("kept")
        first = self.compile("--cache", folder)
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "r+b") as file:
                file.truncate(100)
        again = self.compile("--cache", folder)
        self.assertEqual(again["code_parts_compiled"], first["code_parts"])
        self.assertIn("damaged", again["remarks"][0])
        self.imbrex("run", self.artifact, "--input", "ones", "--dim", "n=3")

    def test_makes_code_for_the_target_that_is_asked_for(self):
        self.assertEqual(self.compile()["targets"], ["x86-64-v3", "x86-64-v4"])
        self.assertEqual(self.compile("--target", "cpu:x86-64-v3")["targets"], ["x86-64-v3"])
        variants = self.json("info", self.artifact)["variants"]
        self.assertEqual([v["target"] for v in variants], ["x86-64-v3"])

    def test_keeps_open_sizes_and_fixes_those_that_are_given(self):
        self.compile()
        self.assertEqual(self.json("info", self.artifact)["inputs"][0]["shape"], ["n", 4])
        self.compile("--dim", "n=3")
        self.assertEqual(self.json("info", self.artifact)["inputs"][0]["shape"], [3, 4])
        self.compile("--input-shape", "x=5x4")
        self.assertEqual(self.json("info", self.artifact)["inputs"][0]["shape"], [5, 4])

    def test_holds_a_bounded_size_to_its_bounds(self):
        self.compile("--dim", "n=1..8")
        self.imbrex("run", self.artifact, "--input", "ones", "--dim", "n=8")
        self.imbrex("run", self.artifact, "--input", "ones", "--dim", "n=9", expect=cli.BAD_INPUT)

    def test_admits_multiples_only(self):
        self.compile("--dim", "n=8..64%8")
        self.imbrex("run", self.artifact, "--input", "ones", "--dim", "n=16")
        for size in (12, 72, 0):
            err = self.imbrex("run", self.artifact, "--input", "ones", "--dim", f"n={size}",
                              expect=cli.BAD_INPUT)[1]
            self.assertIn(f"has size {size} on axis 0; because the dimension 'n' must be between 8 and 64 and a "
                          "multiple of 8", err)
        self.refuses(721, "compile", self.model, "-o", self.artifact, "--dim", "n=1..7%8")

    def test_refuses_sizes_that_contradict_each_other(self):
        for first, second in ("n=1", "n=2"), ("n=1..4", "n=2..8"), ("n=1..4", "n=4"), ("n=4", "n=0..4%4"):
            self.refuses(721, "compile", self.model, "-o", self.artifact, "--dim", f"{first},{second}")
            self.refuses(721, "compile", self.model, "-o", self.artifact, "--dim", first, "--dim", second)
        self.refuses(727, "compile", self.model, "-o", self.artifact, "--input-shape", "x=2x4", "--input-shape", "x=3x4")
        self.refuses(401, "compile", self.model, "-o", self.artifact, "--dim", "n=3", "--input-shape", "x=2x4")
        self.compile("--dim", "n=4", "--dim", "n=4", "--input-shape", "x=4x4")

    def test_refuses_targets_phases_and_sizes_that_do_not_exist(self):
        self.imbrex("compile", self.model, "-o", self.artifact, "--target", "abacus", expect=cli.UNSUPPORTED)
        self.imbrex("compile", self.model, "-o", self.artifact, "--to", "nowhere", expect=cli.BAD_INPUT)
        self.refuses(721, "compile", self.model, "-o", self.artifact, "--dim", "n")
        self.refuses(727, "compile", self.model, "-o", self.artifact, "--input-shape", "x=1x")
        self.refuses(729, "compile", self.model, "-o", self.artifact, "--constant", "x")
        self.assertFalse(os.path.exists(self.artifact))

    def test_sizes_broadcast_when_it_runs(self):
        model = self.write("add.onnx", onnx_bytes.add_model())
        self.json("compile", model, "-o", self.artifact)
        for n, m, k in [(3, 3, 3), (1, 5, 5), (5, 1, 5), (1, 1, 1), (0, 1, 0), (1, 0, 0)]:
            out = self.json("run", self.artifact, "--input", "ones", "--dim", f"n={n},m={m}")
            self.assertEqual(out["outputs"][0]["shape"], [k, 4])
        self.imbrex("run", self.artifact, "--input", "ones", "--dim", "n=2,m=3", expect=cli.BAD_INPUT)

    def test_refuses_what_is_no_model(self):
        self.refuses(301, "compile", self.write("noise.bin", b"\xff" * 100))
        self.refuses(710, "compile", self.path("none.onnx"))
        os.mkfifo(self.path("pipe.onnx"))
        self.refuses(710, "compile", self.path("pipe.onnx"))
        self.refuses(710, "compile", self.folder)
        self.compile()
        self.refuses(728, "compile", self.artifact)

    def test_never_overwrites_what_it_reads(self):
        before = open(self.model, "rb").read()
        os.symlink(self.model, self.path("soft.imx"))
        os.link(self.model, self.path("hard.imx"))
        for output in (self.model, self.path("soft.imx"), self.path("hard.imx"), self.path("./relu.onnx")):
            self.assertIn("another name", self.refuses(2, "compile", self.model, "-o", output))
        self.assertEqual(open(self.model, "rb").read(), before)
        self.compile()
        self.compile()  # over an artifact of before

    def test_refuses_a_range_without_phases(self):
        self.refuses(604, "compile", self.model, "-o", self.artifact, "--from", "lower", "--to", "fuse")
        self.assertFalse(os.path.exists(self.artifact))

    def test_dimensions_may_be_called_as_the_text_forms_words(self):
        for name in ("mod", "min", "max", "floordiv"):
            model = self.write(name + ".onnx", onnx_bytes.model([onnx_bytes.node("Relu", ["x"], ["y"])],
                                                                [("x", [name, 4])], [("y", [name, 4])]))
            self.imbrex("compile", model, "-o", self.artifact, "--dim", f"{name}=2..8", "--quiet")
            self.assertEqual(self.json("info", self.artifact)["inputs"][0]["shape"], [name, 4])
            self.assertIn(f"'{name}'", self.imbrex("run", self.artifact, "--input", "ones", "--dim", f"{name}=9",
                                                   expect=cli.BAD_INPUT)[1])

    def test_says_that_it_cannot_write(self):
        self.imbrex("compile", self.model, "-o", self.path("none/relu.imx"), expect=cli.BAD_INPUT)

    def test_help_lists_every_flag(self):
        out = self.imbrex("compile", "--help")[0]
        for flag in ("MODEL", "--output", "--target", "--dim", "--input-shape", "--constant", "--from", "--to",
                     "--print-after", "--disable", "--time", "--quiet", "--json", "--help"):
            self.assertIn(flag, out)

    def test_lists_what_is_unsupported_as_json(self):
        model = self.write("unknown.onnx", onnx_bytes.unknown_model())
        problems = self.json("compile", model, expect=cli.UNSUPPORTED)["problems"]
        self.assertEqual([(p["operator"], p["node"], p["opset"], p["code"]) for p in problems],
                         [("NoSuchOperator", "y", 17, 410)])
        self.assertIn("not supported", problems[0]["reason"])


if __name__ == "__main__":
    cli.main()
