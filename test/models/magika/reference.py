"""What the magika model should say about a file: features, ONNX Runtime, and the label that is said.

Written from the model's documented rules and apart from examples/magika, so that each tests the other.
"""

import json
import pathlib

import numpy
import onnxruntime


class Reference:
    """Answers of ONNX Runtime. `package` is the folder of the unpacked wheel's magika package."""

    def __init__(self, package):
        model = pathlib.Path(package) / "models" / "standard_v3_3"
        kinds = pathlib.Path(package) / "config" / "content_types_kb.min.json"
        self.config = json.loads((model / "config.min.json").read_text())
        self.is_text = {k: v["is_text"] for k, v in json.loads(kinds.read_text()).items()}
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            str(model / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def features(self, path):
        """The int32 tokens, or None where the file has too few bytes for the model."""
        block, pad = self.config["block_size"], self.config["padding_token"]
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            first = file.read(block).lstrip()[: self.config["beg_size"]]
            file.seek(max(0, size - block))
            last = file.read(block).rstrip()[-self.config["end_size"] :]
        if size < self.config["min_file_size_for_dl"]:
            return None
        if len(first) < self.config["min_file_size_for_dl"]:
            return None
        tokens = numpy.full(self.config["beg_size"] + self.config["end_size"], pad, numpy.int32)
        tokens[: len(first)] = list(first)
        tokens[len(tokens) - len(last) :] = list(last)
        return tokens

    def scores(self, tokens):
        return self.session.run(["target_label"], {"bytes": tokens[None, :]})[0][0]

    def decide(self, scores):
        """(the model's label, the label that is said, score)."""
        best = int(numpy.argmax(scores))
        label, score = self.config["target_labels_space"][best], float(scores[best])
        said = self.config["overwrite_map"].get(label, label)
        general = self.config["medium_confidence_threshold"]
        if score < self.config["thresholds"].get(label, general):
            said = "txt" if self.is_text[said] else "unknown"
        return label, said, score
