"""Strings and sequences: from files to models and back."""

import struct

import cli
import onnx_bytes
from onnx_bytes import STRING, node, sequence_type, tensor_type


def words(*texts):
    """The bytes of an .npy file of strings."""
    width = max(1, *map(len, texts))
    header = f"{{'descr': '<U{width}', 'fortran_order': False, 'shape': ({len(texts)},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = b"".join(t.ljust(width, "\0").encode("utf-32-le") for t in texts)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


class References(cli.CommandTest):
    def test_strings_go_in_and_come_out(self):
        ports = [("x", tensor_type(["n"], STRING))]
        model = self.write("twice.onnx", onnx_bytes.model(
            [node("StringConcat", ["x", "x"], ["y"])], ports, [("y", tensor_type(["n"], STRING))], opset=20))
        file = self.write("x.npy", words("ab", "ü", ""))
        report = self.json("run", model, "--input", f"x={file}", "--output", self.path("out"))
        self.assertEqual(report["outputs"][0]["values"], ["abab", "üü", ""])
        with open(self.path("out/y.npy"), "rb") as out:
            self.assertTrue(out.read().endswith("abab".encode("utf-32-le") + "üü\0\0".encode("utf-32-le") + bytes(16)))
        self.assertIn('["abab", "üü", ""]', self.imbrex("run", model, "--input", f"x={file}")[0])

    def test_sequences_come_out(self):
        model = self.write("both.onnx", onnx_bytes.model(
            [node("SequenceConstruct", ["x", "y"], ["s"])], [("x", ["n"]), ("y", ["m"])],
            [("s", sequence_type(["k"]))], opset=17))
        output = self.json("run", model, "--input", "ones", "--dim", "n=1", "--dim", "m=2")["outputs"][0]
        self.assertEqual([item["values"] for item in output["values"]], [[1], [1, 1]])
        self.assertIn("f32[2] [1, 1]", self.imbrex("run", model, "--input", "ones", "--dim", "n=1", "--dim", "m=2")[0])

    def test_an_element_that_is_not_there_is_an_error(self):
        model = self.write("at.onnx", onnx_bytes.model(
            [node("SequenceConstruct", ["x"], ["s"]), node("SequenceLength", ["s"], ["n"]),
             node("SequenceAt", ["s", "n"], ["y"])], [("x", [2])], [("y", [2])], opset=17))
        said = self.refuses(242, "run", model, "--input", "ones")
        self.assertIn("outside of a sequence", said)


if __name__ == "__main__":
    cli.main()
