// Strings, and mappings between them and numbers.
#include "compiler/frontend/onnx/Converters.h"

#include "support/hostops/Regex.h"
#include "support/tensor/ItemHeap.h"

namespace imbrex::frontend {

Value textVector(NodeContext &n, const std::vector<std::string> &texts) {
  return n.constant(stringTensor(ItemHeap::process(), {static_cast<int64_t>(texts.size())}, texts));
}

std::optional<std::vector<std::string>> textList(NodeContext &n, std::string_view name) {
  const auto *a = n.proto().attribute(name);
  if (!a || a->kind != onnx::Attribute::Kind::Strings)
    return std::nullopt;
  return a->strings;
}

namespace {

void stringConcat(NodeContext &n) {
  Value a = n.require(0), b = n.require(1);
  if (n.failed())
    return;
  if (n.dims(a) != n.dims(b)) {
    Value wide = n.apply("expand", {a, n.sizes(n.dims(b))});
    b = n.apply("expand", {b, n.sizes(n.dims(a))});
    a = wide;
  }
  n.result(n.apply("string_concat", {a, b}));
}

void stringSplit(NodeContext &n) {
  Value delimiter;
  if (const std::string text = n.s("delimiter", ""); !text.empty())
    delimiter = textVector(n, {text});
  n.results(n.applyMany("string_split", {n.require(0), delimiter},
                        attrs({{"most", n.hasAttr("maxsplit") ? n.i("maxsplit", 0) : int64_t(-1)}}),
                        2));
}

void stringNormalize(NodeContext &n) {
  const std::string action = n.s("case_change_action", "NONE");
  const int64_t code = action == "NONE" ? 0 : action == "LOWER" ? 1 : action == "UPPER" ? 2 : -1;
  if (code < 0)
    return n.invalid("the case is '" + action + "'", "case_change_action");
  Value stops;
  if (auto words = textList(n, "stopwords"); words && !words->empty())
    stops = textVector(n, *words);
  n.result(n.apply("string_normalize", {n.require(0), stops},
                   attrs({{"case", code}, {"sensitive", n.i("is_case_sensitive", 0)}})));
}

void regexFullMatch(NodeContext &n) {
  const std::string pattern = n.s("pattern", "");
  if (auto good = Regex::parse(pattern); !good)
    return n.unsupported(good.error().what + "; " + good.error().because, {}, "pattern");
  n.result(n.apply("regex_full_match", {n.require(0), textVector(n, {pattern})}));
}

// --- Mappings

/// A list attribute of one of the kinds, as a vector: keys_strings, keys_int64s, …
Value listOf(NodeContext &n, const std::string &stem) {
  if (n.hasAttr(stem + "_tensor")) {
    auto t = n.tensor(stem + "_tensor");
    return t ? n.reshape(n.constant(*t), {-1}) : Value{};
  }
  if (auto texts = textList(n, stem + "_strings"))
    return textVector(n, *texts);
  if (n.hasAttr(stem + "_int64s"))
    return n.intVector(n.is(stem + "_int64s"));
  if (n.hasAttr(stem + "_floats")) {
    const auto wide = n.fs(stem + "_floats");
    const std::vector<float> values(wide.begin(), wide.end());
    return n.constant(HostTensor::of<float>(DType::F32, {int64_t(values.size())}, values));
  }
  n.invalid("it has no " + stem, stem + "_tensor");
  return {};
}

void labelEncoder(NodeContext &n) {
  Value keys = listOf(n, "keys"), values = listOf(n, "values");
  if (n.failed())
    return;
  Value fallback;
  const DType type = n.dtype(values);
  if (n.hasAttr("default_tensor")) {
    auto t = n.tensor("default_tensor");
    fallback = t ? n.reshape(n.constant(*t), {-1}) : Value{};
  } else if (type == DType::String) {
    fallback = textVector(n, {n.s("default_string", "_Unused")});
  } else {
    fallback = isFloat(type) ? n.scalar(n.f("default_float", -0.0), type)
                             : n.scalar(double(n.i("default_int64", -1)), type);
  }
  n.result(n.apply("map_labels", {n.require(0), keys, values, fallback}));
}

/// Before set 2: strings and their places in a list, in either direction.
void labelEncoder1(NodeContext &n) {
  auto classes = textList(n, "classes_strings");
  Value x = n.require(0);
  if (n.failed() || !classes)
    return n.invalid("it has no classes", "classes_strings");
  std::vector<int64_t> places;
  for (size_t k = 0; k < classes->size(); ++k)
    places.push_back(int64_t(k));
  Value texts = textVector(n, *classes), numbers = n.intVector(places);
  if (n.dtype(x) == DType::String)
    return n.result(n.apply(
        "map_labels", {x, texts, numbers, n.scalar(double(n.i("default_int64", -1)), DType::I64)}));
  n.result(n.apply("map_labels",
                   {x, numbers, texts, textVector(n, {n.s("default_string", "_Unused")})}));
}

constexpr ConverterRow kRows[] = {
    {"RegexFullMatch", 20, regexFullMatch},        {"StringConcat", 20, stringConcat},
    {"StringNormalizer", 10, stringNormalize},     {"StringSplit", 20, stringSplit},
    {"ai.onnx.ml.LabelEncoder", 1, labelEncoder1}, {"ai.onnx.ml.LabelEncoder", 2, labelEncoder},
};

} // namespace

ConverterRows stringRows() { return kRows; }

} // namespace imbrex::frontend
