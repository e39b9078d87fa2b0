// Choosing, sorting and searching: operators that the runtime computes as host operations.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {
namespace {

void topK(NodeContext &n, Value k) {
  n.results(n.applyMany("top_k", {n.require(0), k},
                        attrs({{"axis", n.i("axis", -1)}, {"largest", n.i("largest", 1)}}), 2));
}

/// Before operator set 10 k is an attribute.
void topK1(NodeContext &n) {
  if (!n.hasAttr("k"))
    return n.invalid("its attribute 'k' is missing", "k");
  topK(n, n.intVector({n.i("k", 0)}));
}
void topK10(NodeContext &n) { topK(n, n.require(1)); }

void nonZero(NodeContext &n) { n.result(n.apply("non_zero", {n.require(0)})); }

opmeaning::Attrs axisOrFlat(NodeContext &n) {
  const bool flat = !n.hasAttr("axis");
  return attrs({{"axis", flat ? 0 : n.i("axis", 0)}, {"flatten", int64_t(flat)}});
}

void compress(NodeContext &n) {
  n.result(n.apply("compress", {n.require(0), n.require(1)}, axisOrFlat(n)));
}

void unique(NodeContext &n) {
  auto a = axisOrFlat(n);
  a.values["sorted"] = n.i("sorted", 1);
  n.results(n.applyMany("unique", {n.require(0)}, std::move(a), 4));
}

void nonMaxSuppression(NodeContext &n) {
  n.result(n.apply("non_max_suppression", {n.require(0), n.require(1), n.in(2), n.in(3), n.in(4)},
                   attrs({{"center_point_box", n.i("center_point_box", 0)}})));
}

void determinant(NodeContext &n) { n.result(n.apply("determinant", {n.require(0)})); }

void tfIdf(NodeContext &n) {
  if (n.hasAttr("pool_strings"))
    return n.unsupported("n-grams of strings", {}, "pool_strings");
  const std::string mode = n.s("mode", "TF");
  const int64_t code = mode == "TF" ? 0 : mode == "IDF" ? 1 : mode == "TFIDF" ? 2 : -1;
  if (code < 0)
    return n.invalid("the mode is '" + mode + "'", "mode");
  Value weights;
  if (n.hasAttr("weights")) {
    const auto given = n.fs("weights");
    std::vector<float> values(given.begin(), given.end());
    weights = n.constant(HostTensor::of<float>(DType::F32, {int64_t(values.size())}, values));
  }
  n.result(n.apply("tf_idf",
                   {n.require(0), n.intVector(n.is("pool_int64s")),
                    n.intVector(n.is("ngram_counts")), n.intVector(n.is("ngram_indexes")), weights},
                   attrs({{"min_length", n.i("min_gram_length", 1)},
                          {"max_length", n.i("max_gram_length", 1)},
                          {"max_skip", n.i("max_skip_count", 0)},
                          {"mode", code}})));
}

void decodeImage(NodeContext &n) {
  const std::string format = n.s("pixel_format", "RGB");
  const int64_t code = format == "RGB" ? 0 : format == "BGR" ? 1 : format == "Grayscale" ? 2 : -1;
  if (code < 0)
    return n.invalid("'" + format + "' is not known", "pixel_format");
  n.result(n.apply("decode_image", {n.require(0)}, attrs({{"format", code}})));
}

constexpr ConverterRow kRows[] = {
    {"Compress", 9, compress},
    {"Det", 11, determinant},
    {"ImageDecoder", 20, decodeImage},
    {"NonMaxSuppression", 10, nonMaxSuppression},
    {"NonZero", 9, nonZero},
    {"TfIdfVectorizer", 9, tfIdf},
    {"TopK", 1, topK1},
    {"TopK", 10, topK10},
    {"Unique", 11, unique},
};

} // namespace

ConverterRows searchingRows() { return kRows; }

} // namespace imbrex::frontend
