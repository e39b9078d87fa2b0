"""imbrex info: models, artifacts, and files that are neither."""

import cli
import onnx_bytes


class Info(cli.CommandTest):
    def test_tells_what_a_model_holds(self):
        model = self.write("m.onnx", onnx_bytes.relu_model())
        info = self.json("info", model)
        self.assertEqual(info["kind"], "onnx")
        self.assertEqual(info["opsets"], {"ai.onnx": 17})
        self.assertEqual(info["operators"], {"Relu": 1})
        self.assertEqual([port["name"] for port in info["inputs"]], ["x"])
        self.assertEqual(info["dims"], ["n"])

    def test_prints_a_model_for_people(self):
        out = self.imbrex("info", self.write("m.onnx", onnx_bytes.relu_model()))[0]
        self.assertRegex(out, r"(?m)^  Relu +1$")
        self.assertRegex(out, r"(?m)^  x  tensor\(float\)\[n, ?4\]")

    def test_says_what_stays_in_the_file(self):
        for axis, gathered in (0, 64 * 64 * 4), (1, 0):  # rows are picked; of columns, all rows are read
            artifact = self.path("gather.imx")
            self.imbrex("compile", self.write("gather.onnx", onnx_bytes.gather_model(axis)), "-o", artifact)
            info = self.json("info", artifact)
            self.assertEqual(info["gathered_constant_bytes"], gathered)
            run = self.json("run", artifact, "--input", "at=ones", "--dim", "n=1")
            first = 64.0 if axis == 0 else 1.0
            self.assertEqual(run["outputs"][0]["values"][0], first)

    def test_refuses_what_is_no_model(self):
        self.assertIn("noise.bin", self.refuses(301, "info", self.write("noise.bin", b"\xff" * 100)))

    def test_refuses_a_broken_artifact(self):
        broken = b"IMBREX\x1a\n" + b"\x02\0\0\0" + b"\0" * 200
        self.imbrex("info", self.write("broken.imx", broken), expect=cli.BAD_INPUT)

    def test_does_not_know_the_artifacts_of_another_version(self):
        newer = b"IMBREX\x1a\n" + b"\xff\0\0\0" + b"\0" * 200
        self.refuses(102, "info", self.write("newer.imx", newer), expect=cli.UNSUPPORTED)

    def test_refuses_a_missing_file(self):
        self.refuses(710, "info", self.path("none.onnx"))

    def test_refuses_a_folder(self):
        self.refuses(710, "info", self.folder)

    def test_asks_for_a_model(self):
        self.refuses(700, "info")

    def test_help_lists_every_flag(self):
        out = self.imbrex("info", "--help")[0]
        for flag in ("MODEL", "--help", "--json"):
            self.assertIn(flag, out)


if __name__ == "__main__":
    cli.main()
