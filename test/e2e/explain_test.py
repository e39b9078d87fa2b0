"""imbrex explain: the page and its data; names that are made to deceive a terminal or a browser."""

import json
import re

import cli
import onnx_bytes


class Explain(cli.CommandTest):
    def test_says_what_a_model_became(self):
        data = self.json("explain", self.write("relu.onnx", onnx_bytes.relu_twice_model()))
        self.assertEqual(data["inputs"], [{"name": "x", "type": "f32[n, 4]"}])
        self.assertEqual([n["op"] for n in data["nodes"]], ["relu"])
        self.assertEqual(data["nodes"][0]["results"], ["f32[n, 4]"])
        kernel = data["kernels"][0]
        self.assertEqual(kernel["group"], data["nodes"][0]["group"])
        self.assertEqual(kernel["form"], "elementwise: plain loop nest")
        self.assertEqual([r["rule"] for r in data["rewrites"]], ["relu-twice"])
        self.assertEqual(data["plans"][0]["problems"], [])
        self.assertIsNone(data["profile"])

    def test_shows_operations_and_bytes_for_given_sizes(self):
        data = self.json("explain", self.write("relu.onnx", onnx_bytes.relu_model()), "--dim", "n=5")
        self.assertEqual(data["kernels"][0]["bytes"], 2 * 5 * 4 * 4)
        self.assertGreater(data["kernels"][0]["flops"], 0)

    def test_writes_one_page(self):
        model, page = self.write("relu.onnx", onnx_bytes.relu_model()), self.path("p.html")
        out = self.imbrex("explain", model, "-o", page)[0]
        self.assertEqual(out, f"{page}: 1 operator, 1 kernel, 0 remarks\n")
        with open(page) as file:
            text = file.read()
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
        self.assertEqual(json.loads(data)["model"], "relu.onnx")

    def test_measures_with_profile(self):
        model = self.write("relu.onnx", onnx_bytes.relu_model())
        data = self.json("explain", model, "--profile", "--dim", "n=2", "--threads", "1")
        self.assertEqual(data["profile"]["kernels"][0]["launches"], data["profile"]["runs"])
        self.assertGreater(data["profile"]["copy_bytes"], 0)
        self.refuses(700, "explain", model, "--threads", "1")

    def test_does_not_overwrite_the_model(self):
        model = self.write("relu.onnx", onnx_bytes.relu_model())
        self.refuses(792, "explain", model, "-o", model)

    def test_names_are_neither_orders_nor_markup(self):
        model, page = self.write("evil.onnx", onnx_bytes.hostile_model()), self.path("p.html")
        self.imbrex("explain", model, "-o", page)
        with open(page) as file:
            text = file.read()
        self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f\u202e]")
        self.assertEqual(text.count("</script>"), 2)
        for command in (["info", model], ["run", model, "--input", "ones"], ["verify", model], ["compile", model, "--quiet"],
                        ["info", model, "--json"], ["explain", model, "--json"]):
            if command[0] == "compile":
                command += ["-o", self.path("evil.imx")]
            out, err = self.imbrex(*command, "--dim", "n=2") if command[0] in ("run", "verify") else self.imbrex(*command)
            self.assertNotRegex(out + err, "[\x00-\x08\x0b-\x1f\x7f\u202e]", command)
        self.assertNotRegex(self.imbrex("info", self.path("evil.imx"))[0], "[\x00-\x08\x0b-\x1f\x7f\u202e]")
        said = self.refuses(722, "run", model, "--input", "a\x1b[2Jb=ones")
        self.assertIn("a\\x1b[2Jb", said)


if __name__ == "__main__":
    cli.main()
