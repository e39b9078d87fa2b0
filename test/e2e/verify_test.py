"""imbrex verify: sound and damaged artifacts; compiled outputs against the reference evaluator."""

import cli
import onnx_bytes


class Verify(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("relu.onnx", onnx_bytes.relu_model())
        self.artifact = self.path("relu.imx")
        self.imbrex("compile", self.model, "-o", self.artifact)

    def test_finds_a_sound_artifact_sound(self):
        report = self.json("verify", self.artifact)
        self.assertEqual({s["section"]: s["good"] for s in report["sections"]},
                         {"structure": True, "constants": True, "plan": True, "kernels": True, "rewrites": True})
        self.assertTrue(report["good"])

    def test_says_no_to_a_damaged_artifact(self):
        with open(self.artifact, "r+b") as file:
            file.seek(80)
            file.write(b"\xff\xff\xff\xff")
        out = self.imbrex("verify", self.artifact, expect=cli.NO)[0]
        self.assertRegex(out, r"(?m)^structure +FAILED")

    def test_compares_a_model_with_the_reference(self):
        report = self.json("verify", self.model, "--dim", "n=3")
        self.assertEqual([s["section"] for s in report["sections"]], ["structure", "constants", "plan", "kernels", "rewrites", "outputs"])
        self.assertTrue(all(s["good"] for s in report["sections"]))

    def test_compiles_for_the_dimensions_given(self):
        self.assertIn("no dimension named 'm'", self.imbrex("verify", self.model, "--dim", "m=3", expect=cli.BAD_INPUT)[1])
        self.assertTrue(self.json("verify", self.model, "--dim", "n=2..8%2", "--dim", "n=4")["good"])
        self.refuses(721, "verify", self.model, "--dim", "n=2..")

    def test_lists_rewrites_with_their_contract(self):
        model = self.write("twice.onnx", onnx_bytes.relu_twice_model())
        report = self.json("verify", model, "--dim", "n=3")
        rewrites = next(s for s in report["sections"] if s["section"] == "rewrites")
        self.assertIn({"rule": "relu-twice", "contract": "exact bits", "times": 1, "known": True}, rewrites["details"])

    def test_knows_which_licences_there_are(self):
        self.refuses(632, "compile", self.model, "--allow", "anything", "-o", self.path("a.imx"))
        self.refuses(632, "compile", self.model, "--forbid", "anything", "-o", self.path("a.imx"))

    def test_refuses_what_is_no_model(self):
        self.imbrex("verify", self.write("noise.bin", b"\xff" * 100), expect=cli.BAD_INPUT)

    def test_help_lists_every_flag(self):
        out = self.imbrex("verify", "--help")[0]
        for flag in ("MODEL", "--input", "--input-shape", "--dim", "--json", "--help"):
            self.assertIn(flag, out)


if __name__ == "__main__":
    cli.main()
