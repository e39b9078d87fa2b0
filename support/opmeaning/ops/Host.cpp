// Operators without an index form, which support/hostops computes: choosing, sorting, searching.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>
#include <array>

namespace imbrex::opmeaning {
namespace {

using Operands = std::vector<Operand>;
using Types = Result<std::vector<TensorType>>;

Error refused(std::string_view name, const std::string &why) {
  return badInput(520, "'" + std::string(name) + "' cannot take its operands", why);
}

/// The number of a size that the operator decides when it runs.
DimExpr opened(int n) { return DimExpr::symbol("$" + std::to_string(n)); }

/// The axis counted from the front; nothing when it lies outside.
std::optional<size_t> axisIn(const TensorType &x, int64_t axis) {
  const auto rank = static_cast<int64_t>(x.dims.size());
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

Types topKTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const TensorType &x = in[0].type;
  auto axis = axisIn(x, a.i("axis"));
  if (!axis || (!isFloat(x.type) && !isInteger(x.type)) || !isInteger(in[1].type.type))
    return refused("top_k", "it takes numbers, an axis of theirs and a count");
  auto dims = x.dims;
  dims[*axis] = opened(0);
  if (in[1].constant && in[1].constant->elems() == 1) {
    const int64_t k = in[1].constant->toInt(0);
    if (auto extent = x.dims[*axis].constant(); k < 0 || (extent && k > *extent))
      return refused("top_k",
                     "it asks for " + std::to_string(k) + " elements of " + x.dims[*axis].str());
    dims[*axis] = k;
  }
  return std::vector<TensorType>{{x.type, dims}, {DType::I64, dims}};
}

Types nonZeroTypes(const Operands &in, const Attrs &, const DimFacts &) {
  const auto rank = static_cast<int64_t>(in[0].type.dims.size());
  return std::vector<TensorType>{{DType::I64, {rank, opened(0)}}};
}

Types compressTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const TensorType &x = in[0].type;
  auto axis = axisIn(x, a.i("axis"));
  const bool flatten = a.i("flatten") != 0;
  if ((!flatten && !axis) || in[1].type.type != DType::Bool || in[1].type.dims.size() != 1)
    return refused("compress", "it takes a vector of bools and an axis");
  if (flatten)
    return std::vector<TensorType>{{x.type, {opened(0)}}};
  auto dims = x.dims;
  dims[*axis] = opened(0);
  return std::vector<TensorType>{{x.type, dims}};
}

Types uniqueTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const TensorType &x = in[0].type;
  auto axis = axisIn(x, a.i("axis"));
  const bool flatten = a.i("flatten") != 0;
  if (!flatten && !axis)
    return refused("unique", "the axis lies outside of x");
  std::vector<DimExpr> dims = flatten ? std::vector<DimExpr>{opened(0)} : x.dims;
  DimExpr count = 1;
  if (flatten)
    for (const DimExpr &d : x.dims)
      count = count * d;
  else {
    count = x.dims[*axis];
    dims[*axis] = opened(0);
  }
  const TensorType places{DType::I64, {opened(0)}};
  return std::vector<TensorType>{{x.type, dims}, places, {DType::I64, {count}}, places};
}

Types suppressionTypes(const Operands &in, const Attrs &, const DimFacts &) {
  if (in[0].type.dims.size() != 3 || in[1].type.dims.size() != 3 || !isFloat(in[0].type.type) ||
      !isFloat(in[1].type.type))
    return refused("non_max_suppression", "boxes and scores have three axes each");
  if (auto four = in[0].type.dims[2].constant(); four && *four != 4)
    return refused("non_max_suppression", "a box has four numbers");
  return std::vector<TensorType>{{DType::I64, {opened(0), 3}}};
}

/// Sizes that are open are compared when it runs.
Types determinantTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  const TensorType &x = in[0].type;
  const size_t rank = x.dims.size();
  if (rank < 2 || !isFloat(x.type) || facts.provenUnequal(x.dims[rank - 1], x.dims[rank - 2]))
    return refused("determinant", "it takes square matrices of floats");
  return std::vector<TensorType>{{x.type, {x.dims.begin(), x.dims.end() - 2}}};
}

Types tfIdfTypes(const Operands &in, const Attrs &, const DimFacts &) {
  const TensorType &x = in[0].type;
  const auto &columns = in[3].constant;
  if (!isInteger(x.type) || x.dims.size() > 2 || !columns)
    return refused("tf_idf", "it takes integers of one or two axes and constant columns");
  int64_t width = 0;
  for (int64_t c : columns->toInts())
    width = std::max(width, c + 1);
  std::vector<DimExpr> dims = {width};
  if (x.dims.size() == 2)
    dims.insert(dims.begin(), x.dims[0]);
  return std::vector<TensorType>{{DType::F32, dims}};
}

/// A tensor of rows and what may be one of them; sizes that are open are compared when it runs.
bool isRow(const TensorType &rows, const TensorType &row, const DimFacts &facts) {
  return rows.dims.size() == row.dims.size() + 1 && rows.type == row.type &&
         std::equal(row.dims.begin(), row.dims.end(), rows.dims.begin() + 1,
                    [&](const DimExpr &a, const DimExpr &b) { return !facts.provenUnequal(a, b); });
}

Types writeRowTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  if (!isRow(in[0].type, in[1].type, facts) || !isInteger(in[2].type.type) ||
      !in[2].type.dims.empty())
    return refused("write_row", "it takes rows, one row and a place");
  return std::vector<TensorType>{in[0].type};
}

Types appendRowTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  if (!isRow(in[0].type, in[1].type, facts))
    return refused("append_row", "it takes rows and one row");
  TensorType longer = in[0].type;
  longer.dims[0] = longer.dims[0] + 1;
  return std::vector<TensorType>{longer};
}

/// A shape is known where its elements are, as numbers or by name.
Types randomTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const auto type = static_cast<DType>(a.i("dtype"));
  const auto rank = in[0].type.dims.size() == 1 ? in[0].type.dims[0].constant() : std::nullopt;
  if (!isInteger(in[0].type.type) || !rank || (type != DType::F32 && type != DType::F64))
    return refused("random", "it takes a shape of known rank, and gives f32 or f64");
  TensorType t{type, {}};
  for (int64_t k = 0; k < *rank; ++k)
    if (in[0].constant)
      t.dims.emplace_back(in[0].constant->toInt(k));
    else if (in[0].sizes)
      t.dims.push_back(in[0].sizes->at(static_cast<size_t>(k)));
    else
      t.dims.push_back(opened(static_cast<int>(k)));
  return std::vector{t};
}

Types treeTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const TensorType &x = in[0].type;
  if (x.dims.size() != 2 || !isFloat(x.type) || x.type == DType::BF16 || a.i("targets") < 1)
    return refused("tree_ensemble", "it takes a matrix of f16, f32 or f64");
  return std::vector<TensorType>{{x.type, {x.dims[0], a.i("targets")}}};
}

Types imageTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const int64_t format = a.i("format");
  if (in[0].type.type != DType::U8 || in[0].type.dims.size() != 1 || format < 0 || format > 2)
    return refused("decode_image", "it takes the bytes of a file");
  return std::vector<TensorType>{{DType::U8, {opened(0), opened(1), format == 2 ? 1 : 3}}};
}

Types coupleTypes(const Operands &in, const Attrs &a, const DimFacts &facts) {
  const TensorType &x = in[0].type;
  const int64_t classes = a.i("classes");
  if (x.dims.size() != 2 || (x.type != DType::F32 && x.type != DType::F64) || classes < 2 ||
      classes > 4096 || facts.provenUnequal(x.dims[1], classes * (classes - 1) / 2))
    return refused("couple_pairs", "it takes a probability for each pair of classes");
  return std::vector<TensorType>{{x.type, {x.dims[0], classes}}};
}

} // namespace

void registerHost(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, std::array<uint8_t, 3> counts,
                 auto types, std::vector<AttrDecl> attrs) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = counts[0],
                   .maxOperands = counts[1],
                   .minResults = 1,
                   .maxResults = counts[2],
                   .attrs = std::move(attrs),
                   .contract = FloatContract::Exact,
                   .hooks = {.types = types, .hostOp = name}});
  };
  const auto axis = intAttr("axis", -1, "which axis");
  const auto flatten = intAttr("flatten", 0, "1: over all elements in row-major order");
  add("top_k", "The largest or smallest of an axis and their places; operands x and k.", {2, 2, 2},
      topKTypes, {axis, intAttr("largest", 1, "0: the smallest")});
  add("non_zero", "The places of the elements that are not zero.", {1, 1, 1}, nonZeroTypes, {});
  add("compress", "What a vector of bools chooses along an axis.", {2, 2, 1}, compressTypes,
      {axis, flatten});
  add("unique", "The distinct slices, their first places, the inverse and the counts.", {1, 1, 4},
      uniqueTypes, {axis, flatten, intAttr("sorted", 1, "0: in order of appearance")});
  add("non_max_suppression", "The best boxes of each class that do not overlap.", {2, 5, 1},
      suppressionTypes, {intAttr("center_point_box", 0, "1: centers and sizes, not corners")});
  add("determinant", "Determinants of square matrices.", {1, 1, 1}, determinantTypes, {});
  add("tf_idf", "Weighted counts of n-grams; operands x, pool, starts, columns, weights.",
      {4, 5, 1}, tfIdfTypes,
      {intAttr("min_length", 1, "the shortest n-gram"), intAttr("max_length", 1, "the longest"),
       intAttr("max_skip", 0, "the most elements between two of an n-gram"),
       intAttr("mode", 0, "0: counts; 1: weights of those found; 2: both")});
  add("random", "Random numbers of a shape; with a seed always the same.", {1, 1, 1}, randomTypes,
      {intAttr("normal", 0, "0: uniform in [0, 1); 1: standard normal"),
       intAttr("seeded", 0, "1: drawn from the seed"), intAttr("seed", 0, "the seed"),
       requiredAttr("dtype", AttrKind::Int, "the element type's number")});
  ops.back().effect = Effect::Random;
  add("tree_ensemble", "Decision trees; operands as support/hostops says.", {10, 10, 1}, treeTypes,
      {requiredAttr("targets", AttrKind::Int, "the number of targets"),
       intAttr("aggregate", 1, "0: average; 1: sum; 2: least; 3: most"),
       intAttr("transform", 0, "0: none; 1: softmax; 2: logistic; 3: softmax_zero; 4: probit")});
  add("decode_image", "The pixels of a picture's file; empty where it cannot be decoded.",
      {1, 1, 1}, imageTypes, {intAttr("format", 0, "0: RGB; 1: BGR; 2: gray")});
  add("couple_pairs", "Probabilities of classes, from those of each two of them.", {1, 1, 1},
      coupleTypes, {requiredAttr("classes", AttrKind::Int, "the number of classes")});
  add("write_row",
      "x with row k replaced; operands x, the row and k. In place where nothing else holds x.",
      {3, 3, 1}, writeRowTypes, {});
  add("append_row", "x with one more row. In place where nothing else holds x and it has room.",
      {2, 2, 1}, appendRowTypes, {});
}

} // namespace imbrex::opmeaning
