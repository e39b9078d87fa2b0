// Maps of the ai.onnx.ml domain. A map is a row of two items, its keys and its values; the
// values of one key are found as labels are.
#include "compiler/frontend/onnx/ml/Scores.h"

namespace imbrex::frontend {
namespace {

/// The map that is operand 0; null, and fails, for any other value.
const Container *mapIn(NodeContext &n) {
  Value v = n.require(0);
  const Container *c = n.failed() ? nullptr : n.record().info(v).container.get();
  if (!n.failed() && (!c || c->kind != Container::Kind::Map))
    n.invalid("its input is not a map");
  return n.failed() ? nullptr : c;
}

Value part(NodeContext &n, int64_t place, DType type) {
  return n.apply("sequence_at", {n.reshape(n.in(0), {2}), n.scalar(double(place), DType::I64)},
                 attrs({{"dtype", int64_t(type)}, {"rank", int64_t(1)}}));
}
Value keysOf(NodeContext &n, const Container &map) { return part(n, 0, map.key); }
Value valuesOf(NodeContext &n, const Container &map) { return part(n, 1, map.type); }

/// Each row of scores as a map from labels to them.
void zipMap(NodeContext &n) {
  Value x = featureRows(n);
  const int64_t count = labelCount(n, "classlabels");
  if (n.failed())
    return;
  if (count == 0)
    return n.invalid("it has no labels", "classlabels_int64s");
  x = n.cast(x, DType::F32);
  Value keys = labels(n, "classlabels", count), maps = n.apply("zip_map", {x, keys});
  if (n.failed())
    return;
  Container map{Container::Kind::Map, DType::F32, 1};
  map.key = n.dtype(keys);
  n.record().setContainer(
      maps, std::make_shared<Container>(Container{Container::Kind::Sequence, DType::Item, 2,
                                                  std::make_shared<Container>(map)}));
  n.result(maps);
}

/// The values of a vocabulary's words, 0 (or no text) for those that the map lacks.
void dictVectorizer(NodeContext &n) {
  const Container *map = mapIn(n);
  if (!map)
    return;
  const bool texts = map->key == DType::String;
  const auto words = textList(n, "string_vocabulary");
  const auto numbers = n.is("int64_vocabulary");
  if (texts ? !words : numbers.empty())
    return n.invalid("it has no vocabulary of its keys' type",
                     texts ? "string_vocabulary" : "int64_vocabulary");
  Value vocabulary = texts ? textVector(n, *words) : n.intVector(numbers);
  Value nothing = map->type == DType::String ? textVector(n, {""}) : n.scalar(0, map->type);
  Value y = n.apply("map_labels", {vocabulary, keysOf(n, *map), valuesOf(n, *map), nothing});
  n.result(n.unsqueeze(y, {0}));
}

/// The values by their keys: in the keys' order, or each at the place that its key names.
void castMap(NodeContext &n) {
  const Container *map = mapIn(n);
  if (!map)
    return;
  if (map->key != DType::I64)
    return n.invalid("the keys of its map are not 64-bit integers");
  const std::string to = n.s("cast_to", "TO_FLOAT"), form = n.s("map_form", "DENSE");
  const DType type = to == "TO_FLOAT"    ? DType::F32
                     : to == "TO_INT64"  ? DType::I64
                     : to == "TO_STRING" ? DType::String
                                         : DType::Invalid;
  if (type == DType::Invalid)
    return n.invalid("'" + to + "' is not known", "cast_to");
  Value keys = keysOf(n, *map), values = castValue(n, valuesOf(n, *map), type), y;
  if (n.failed())
    return;
  if (form == "DENSE") {
    Value count = n.size(n.dims(keys)[0]);
    Value order = n.applyMany("top_k", {keys, count},
                              attrs({{"axis", int64_t(0)}, {"largest", int64_t(0)}}), 2)[1];
    y = n.apply("gather", {values, order}, attrs({{"axis", int64_t(0)}}));
  } else if (form == "SPARSE") {
    const int64_t size = n.i("max_map", 1);
    if (size < 1 || size > (int64_t(1) << 32))
      return n.invalid("the number of its places is " + std::to_string(size), "max_map");
    Value nothing = type == DType::String ? textVector(n, {"0.f"}) : n.scalar(0, type);
    y = n.apply("map_labels", {n.places(size), keys, values, nothing});
  } else {
    return n.invalid("'" + form + "' is not known", "map_form");
  }
  n.result(n.unsqueeze(y, {0}));
}

constexpr ConverterRow kRows[] = {
    {"ai.onnx.ml.CastMap", 1, castMap},
    {"ai.onnx.ml.DictVectorizer", 1, dictVectorizer},
    {"ai.onnx.ml.ZipMap", 1, zipMap},
};

} // namespace

ConverterRows mapRows() { return kRows; }

} // namespace imbrex::frontend
