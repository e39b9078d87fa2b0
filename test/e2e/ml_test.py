"""Operators of ai.onnx.ml from model to Python: strings, maps, and values as other engines compute them."""

import itertools
import math
import os
import pathlib
import subprocess
import sys

import cli
import onnx_bytes as onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import imbrex  # noqa: E402

ML = "ai.onnx.ml"
NUMBERS = itertools.count()
RUNTIME = os.environ.get("IMBREX_RUNTIME", "build/lib/libimbrex-runtime.so")


def plain(value):
    """Nested lists of an output."""
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value.tolist() if hasattr(value, "tolist") else value


class Ml(cli.CommandTest):
    def compiled(self, nodes, inputs, outputs):
        """A module of nodes, each (operator, inputs, outputs, attributes)."""
        made = [onnx.node(op, ins, outs, ML, [onnx.attribute(*a) for a in attributes.items()])
                for op, ins, outs, attributes in nodes]
        model = self.write("m.onnx", onnx.model(made, inputs, outputs, opset=18, domains={ML: 3}))
        artifact = self.path("m.imx")
        done = subprocess.run([os.path.join(cli.BIN, "imbrex-compile"), model, "-o", artifact],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return imbrex.Module(artifact, library=RUNTIME)

    def run_one(self, operator, inputs, results=None, **attributes):
        """The outputs of one node; inputs are (type, value), results the outputs' types."""
        ins, outs = [f"x{k}" for k in range(len(inputs))], [f"y{k}" for k in range(len(results or "y"))]
        module = self.compiled([(operator, ins, outs, attributes)],
                               [(n, t) for n, (t, _) in zip(ins, inputs)],
                               list(zip(outs, results or [matrix()])))
        found = module.context(threads=1).run([value for _, value in inputs])
        return [plain(found[name]) for name in outs]

    def near(self, found, expected):
        if isinstance(expected, list):
            self.assertEqual(len(found), len(expected))
            for a, b in zip(found, expected):
                self.near(a, b)
        elif isinstance(expected, float) and math.isnan(expected):
            self.assertTrue(math.isnan(found))
        elif isinstance(expected, float):
            self.assertAlmostEqual(found, expected, places=5)
        else:
            self.assertEqual(found, expected)

    def test_features(self):
        x = [(matrix(), [[1.0, -2.0, 3.0], [0.0, 0.0, 0.0]])]
        self.near(self.run_one("Scaler", x, offset=[1.0, 0.0, 1.0], scale=[2.0, 1.0, 1.0]),
                  [[[0.0, -2.0, 2.0], [-2.0, 0.0, -1.0]]])
        self.near(self.run_one("Normalizer", x, norm="L1"), [[[1 / 6, -1 / 3, 0.5], [0.0, 0.0, 0.0]]])
        self.near(self.run_one("Normalizer", x, norm="MAX"), [[[1 / 3, -2 / 3, 1.0], [0.0, 0.0, 0.0]]])
        self.near(self.run_one("Normalizer", [(matrix(onnx.INT64), [[3, 4]])], norm="L2"), [[[0.6, 0.8]]])
        gaps = [(matrix(), [[math.nan, 1.0, 0.0]])]
        self.near(self.run_one("Imputer", gaps, replaced_value_float=math.nan, imputed_value_floats=[7.0, 8.0, 9.0]),
                  [[[7.0, 1.0, 0.0]]])
        self.near(self.run_one("Imputer", gaps, imputed_value_floats=[5.0]), [[[math.nan, 1.0, 5.0]]])
        two = x + [(matrix(), [[1.0], [1.0]])]
        self.near(self.run_one("FeatureVectorizer", two, inputdimensions=[2, 3]),
                  [[[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]]])

    def test_categories(self):
        words = [(matrix(onnx.STRING), [["red"], ["blue"], ["no"]])]
        self.assertEqual(self.run_one("OneHotEncoder", words, [onnx.tensor_type(["n", 1, 2])],
                                      cats_strings=["red", "blue"]), [[[[1, 0]], [[0, 1]], [[0, 0]]]])
        numbers = [(matrix(onnx.INT64), [[5], [7]])]
        with self.assertRaises(imbrex.Error):
            self.run_one("OneHotEncoder", numbers, [onnx.tensor_type(["n", 1, 2])], cats_int64s=[5, 6], zeros=0)
        self.assertEqual(self.run_one("CategoryMapper", words, [matrix(onnx.INT64)], cats_int64s=[5, 6],
                                      cats_strings=["red", "blue"]), [[[5], [6], [-1]]])
        self.assertEqual(self.run_one("CategoryMapper", numbers, [matrix(onnx.STRING)], cats_int64s=[5, 6],
                                      cats_strings=["rot", "größer"]), [[["rot"], ["_Unused"]]])

    def test_linear_models(self):
        x = [(matrix(), [[0.5], [-0.25], [0.0]])]
        self.near(self.run_one("LinearRegressor", x, coefficients=[2.0, 1.0], intercepts=[0.5, 0.0], targets=2),
                  [[[1.5, 0.5], [0.0, -0.25], [0.5, 0.0]]])
        both = [onnx.tensor_type(["n"], onnx.INT64), matrix()]
        one = {"coefficients": [1.0], "intercepts": [0.25], "classlabels_ints": [10, 20]}
        self.near(self.run_one("LinearClassifier", x, both, **one),
                  [[20, 10, 20], [[0.25, 0.75], [1.0, 0.0], [0.75, 0.25]]])
        self.near(self.run_one("LinearClassifier", x, both, post_transform="LOGISTIC", **one),
                  [[20, 10, 20], [[0.320821, 0.679179], [0.5, 0.5], [0.437823, 0.562177]]])
        three = {"coefficients": [1.0, -1.0, 0.5], "intercepts": [0.25, 0.0, 0.5]}
        self.near(self.run_one("LinearClassifier", x, [onnx.tensor_type(["n"], onnx.STRING), matrix()],
                               post_transform="SOFTMAX_ZERO", classlabels_strings=["a", "b", "c"], **three),
                  [["a", "c", "c"], [[0.437349, 0.125303, 0.437349], [0.0, 0.468791, 0.531209],
                                     [0.437823, 0.0, 0.562177]]])

    def test_support_vectors(self):
        x = [(matrix(), [[0.5, 0.5], [2.0, 0.1], [-1.0, -1.0]])]
        both = [onnx.tensor_type(["n"], onnx.INT64), matrix()]
        base = {"kernel_params": [0.5, 0.1, 3.0], "support_vectors": [0.0, 0.0, 1.0, 1.0, 2.0, 0.0, 0.0, 2.0]}
        for kernel, expected in (("LINEAR", [-0.25, -0.96, 0.65]), ("RBF", [0.501138, -0.163764, 0.235392]),
                                 ("POLY", [-0.0143, -3.199237, 0.2692]), ("SIGMOID", [-0.061281, -0.082496, 0.314723])):
            self.near(self.run_one("SVMRegressor", x, kernel_type=kernel, n_supports=4, rho=[0.05],
                                   coefficients=[0.5, 0.3, -0.4, -0.2], **base), [[[v] for v in expected]])
        two = {"kernel_type": "RBF", "vectors_per_class": [2, 2], "coefficients": [0.5, 0.3, -0.4, -0.2],
               "rho": [0.05], "classlabels_ints": [7, 8]}
        self.near(self.run_one("SVMClassifier", x, both, **base, **two),
                  [[7, 8, 7], [[-0.501138, 0.501138], [0.163764, -0.163764], [-0.235392, 0.235392]]])
        three = {"kernel_type": "RBF", "vectors_per_class": [2, 1, 1], "classlabels_ints": [7, 8, 9],
                 "coefficients": [0.5, 0.3, -0.4, -0.2, 0.1, 0.2, 0.3, -0.6], "rho": [0.05, -0.1, 0.2]}
        coupled = {"prob_a": [-1.2, -1.0, -0.8], "prob_b": [0.1, 0.2, 0.3]}
        self.near(self.run_one("SVMClassifier", x, both, **base, **three, **coupled),
                  [[7, 8, 7], [[0.370972, 0.254842, 0.374186], [0.280244, 0.375244, 0.344512],
                               [0.319502, 0.300305, 0.380193]]])

    def trees(self, ids, weights, **attributes):
        table = {"nodes_treeids": [0, 0, 0, 1], "nodes_nodeids": [0, 1, 2, 0], "nodes_featureids": [0, 0, 0, 0],
                 "nodes_values": [0.1, 0.0, 0.0, 0.0], "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF", "LEAF"],
                 "nodes_truenodeids": [1, 0, 0, 0], "nodes_falsenodeids": [2, 0, 0, 0],
                 "class_treeids": [0, 0, 1], "class_nodeids": [1, 2, 0], "class_ids": ids, "class_weights": weights}
        return self.run_one("TreeEnsembleClassifier", [(matrix(), [[0.5], [-0.25]])],
                            [onnx.tensor_type(["n"], onnx.INT64), matrix()], **table, **attributes)

    def test_trees(self):
        labels = {"classlabels_int64s": [10, 20]}  # the second tree is one leaf
        self.near(self.trees([0, 0, 0], [0.2, 0.7, 0.1], **labels), [[20, 10], [[0.2, 0.8], [0.7, 0.3]]])
        self.near(self.trees([0, 0, 0], [-0.4, 0.7, 0.1], post_transform="LOGISTIC", **labels),
                  [[20, 10], [[0.310026, 0.689974], [0.574443, 0.425557]]])
        self.near(self.trees([0, 1, 2], [0.2, 0.7, 0.1], classlabels_int64s=[10, 20, 30]),
                  [[20, 10], [[0.0, 0.7, 0.1], [0.2, 0.0, 0.1]]])

    def test_maps(self):
        floats, words = onnx.map_type(onnx.INT64, onnx.FLOAT), onnx.map_type(onnx.STRING, onnx.FLOAT)
        rows = [(matrix(), [[1.0, 2.0], [3.0, 4.0]])]
        self.assertEqual(self.run_one("ZipMap", rows, [onnx.sequence_of(words)], classlabels_strings=["a", "b"]),
                         [[{"a": 1, "b": 2}, {"a": 3, "b": 4}]])
        self.assertEqual(self.run_one("ZipMap", rows, [onnx.sequence_of(floats)], classlabels_int64s=[7, 9]),
                         [[{7: 1, 9: 2}, {7: 3, 9: 4}]])
        vocabulary = {"string_vocabulary": ["a", "b", "c"]}
        self.assertEqual(self.run_one("DictVectorizer", [(words, {"c": 2.0, "q": 5.0, "a": 1.5})], **vocabulary),
                         [[[1.5, 0, 2]]])
        value = [(floats, {5: 1.5, 2: 2.5})]
        self.assertEqual(self.run_one("CastMap", value), [[[2.5, 1.5]]])
        self.assertEqual(self.run_one("CastMap", value, map_form="SPARSE", max_map=6), [[[0, 0, 2.5, 0, 0, 1.5]]])
        self.assertEqual(self.run_one("CastMap", value, [matrix(onnx.INT64)], cast_to="TO_INT64"), [[[2, 1]]])
        self.assertEqual(self.run_one("CastMap", value, [matrix(onnx.STRING)], cast_to="TO_STRING"), [[["2.5", "1.5"]]])

    def test_map_through_a_model(self):
        maps = onnx.sequence_of(onnx.map_type(onnx.STRING, onnx.FLOAT))
        module = self.compiled([("ZipMap", ["x"], ["y"], {"classlabels_strings": ["no", "yes"]})],
                               [("x", ["n", 2])], [("y", maps)])
        self.assertEqual(module.outputs[0].dtype, "item")
        self.assertEqual(module.context().run([imbrex.Tensor(b"", "f32", (0, 2))])["y"], [])

    def test_what_does_not_fit(self):
        scores = onnx.node("ZipMap", ["x"], ["y"], ML, [onnx.attribute("classlabels_int64s", [1, 2, 3])])
        maps = onnx.sequence_of(onnx.map_type(onnx.INT64, onnx.FLOAT))
        model = self.write("bad.onnx", onnx.model([scores], [("x", ["n", 2])], [("y", maps)], domains={ML: 1}))
        self.refuses(413, "compile", model, "-o", self.path("bad.imx"))
        weights = onnx.node("LinearRegressor", ["x"], ["y"], ML, [onnx.attribute("coefficients", [1.0, 2.0, 3.0]),
                                                                 onnx.attribute("targets", 2)])
        model = self.write("bad.onnx", onnx.model([weights], [("x", ["n", 2])], [("y", ["n", 2])], domains={ML: 1}))
        self.refuses(413, "compile", model, "-o", self.path("bad.imx"))


def matrix(elem=onnx.FLOAT):
    """Of any size, the columns unlike any other's."""
    return onnx.tensor_type(["n", f"m{next(NUMBERS)}"], elem)


if __name__ == "__main__":
    cli.main()
