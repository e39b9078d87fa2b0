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
