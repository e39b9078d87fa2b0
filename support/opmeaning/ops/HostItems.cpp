// Operators on strings and sequences, which support/hostops computes. A sequence is a vector of
// items, an optional value a vector of at most one; what an item holds is known when it is taken
// out, to the type that the operator was given.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <array>

namespace imbrex::opmeaning {
namespace {

using Operands = std::vector<Operand>;
using Types = Result<std::vector<TensorType>>;

Error refused(std::string_view name, const std::string &why) {
  return badInput(520, "'" + std::string(name) + "' cannot take its operands", why);
}

DimExpr opened(int64_t n) { return DimExpr::symbol("$" + std::to_string(n)); }

bool isSequence(const Operand &o) { return o.type.type == DType::Item && o.type.dims.size() == 1; }
bool isPlace(const Operand &o) { return isInteger(o.type.type) && o.type.dims.size() <= 1; }
bool isText(const Operand &o) { return o.type.type == DType::String; }

/// A tensor of the type that attributes name, its sizes known when it is there.
Types typeOfItem(std::string_view name, const Attrs &a) {
  const int64_t type = a.i("dtype"), rank = a.i("rank");
  if (type < 1 || type > static_cast<int64_t>(LastDType) || rank < 0 || rank > 64)
    return refused(name, "the type of its result is not known");
  TensorType t{static_cast<DType>(type), {}};
  for (int64_t k = 0; k < rank; ++k)
    t.dims.push_back(opened(k));
  return std::vector{t};
}

Types itemTypes(const Operands &, const Attrs &, const DimFacts &) {
  return std::vector<TensorType>{{DType::Item, {1}}};
}

Types atTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  if (!isSequence(in[0]) || !isPlace(in[1]))
    return refused("sequence_at", "it takes a sequence and a place");
  return typeOfItem("sequence_at", a);
}

Types concatTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  if (!isSequence(in[0]))
    return refused("concat_items", "it takes a sequence");
  return typeOfItem("concat_items", a);
}

Types insertTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  if (!isSequence(in[0]) || !isSequence(in[1]) || facts.provenUnequal(in[1].type.dims[0], 1) ||
      (in.size() > 2 && in[2].present && !isPlace(in[2])))
    return refused("sequence_insert", "it takes a sequence, one item and a place");
  return std::vector<TensorType>{{DType::Item, {in[0].type.dims[0] + 1}}};
}

Types eraseTypes(const Operands &in, const Attrs &, const DimFacts &) {
  if (!isSequence(in[0]) || (in.size() > 1 && in[1].present && !isPlace(in[1])))
    return refused("sequence_erase", "it takes a sequence and a place");
  if (in[0].type.dims[0].isConstant(0))
    return refused("sequence_erase", "the sequence is empty");
  return std::vector<TensorType>{{DType::Item, {in[0].type.dims[0] - 1}}};
}

Types splitTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const TensorType &x = in[0].type;
  const auto rank = static_cast<int64_t>(x.dims.size());
  const int64_t axis = a.i("axis") < 0 ? a.i("axis") + rank : a.i("axis");
  const bool given = in.size() > 1 && in[1].present;
  if (axis < 0 || axis >= rank || (given && !isPlace(in[1])))
    return refused("split_to_items", "it takes a tensor, an axis of it, and lengths");
  const DimExpr &extent = x.dims[static_cast<size_t>(axis)];
  DimExpr count = opened(0);
  if (!given)
    count = extent;
  else if (in[1].type.dims.size() == 1)
    count = in[1].type.dims[0];
  else if (in[1].constant && extent.constant() && in[1].constant->toInt(0) > 0)
    count = (*extent.constant() + in[1].constant->toInt(0) - 1) / in[1].constant->toInt(0);
  return std::vector<TensorType>{{DType::Item, {count}}};
}

Types textConcatTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  bool fits = isText(in[0]) && isText(in[1]) && in[0].type.dims.size() == in[1].type.dims.size();
  for (size_t k = 0; fits && k < in[0].type.dims.size(); ++k)
    fits = !facts.provenUnequal(in[0].type.dims[k], in[1].type.dims[k]);
  if (!fits)
    return refused("string_concat", "it takes strings of one shape");
  return std::vector<TensorType>{in[0].type};
}

Types textSplitTypes(const Operands &in, const Attrs &, const DimFacts &) {
  if (!isText(in[0]) || (in.size() > 1 && in[1].present && !isText(in[1])))
    return refused("string_split", "it takes strings");
  TensorType parts = in[0].type;
  parts.dims.push_back(opened(0));
  return std::vector<TensorType>{parts, {DType::I64, in[0].type.dims}};
}

Types normalizeTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  TensorType x = in[0].type;
  const size_t rank = x.dims.size();
  if (!isText(in[0]) || rank < 1 || rank > 2 || (rank == 2 && facts.provenUnequal(x.dims[0], 1)) ||
      (in.size() > 1 && in[1].present && !isText(in[1])))
    return refused("string_normalize", "it takes a vector of strings, or a matrix of one row");
  x.dims.back() = opened(0);
  return std::vector<TensorType>{x};
}

Types matchTypes(const Operands &in, const Attrs &, const DimFacts &) {
  if (!isText(in[0]) || !isText(in[1]))
    return refused("regex_full_match", "it takes strings");
  return std::vector<TensorType>{{DType::Bool, in[0].type.dims}};
}

Types toTextTypes(const Operands &in, const Attrs &, const DimFacts &) {
  if (isReference(in[0].type.type))
    return refused("to_strings", "it takes numbers");
  return std::vector<TensorType>{{DType::String, in[0].type.dims}};
}

Types fromTextTypes(const Operands &in, const Attrs &a, const DimFacts &) {
  const auto to = static_cast<DType>(a.i("dtype"));
  if (!isText(in[0]) || !(isFloat(to) || isInteger(to) || to == DType::Bool))
    return refused("from_strings", "it takes strings, and makes numbers of 8 to 64 bits");
  return std::vector<TensorType>{{to, in[0].type.dims}};
}

Types labelTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  const TensorType &keys = in[1].type, &values = in[2].type;
  if (keys.type != in[0].type.type || values.type != in[3].type.type || keys.dims.size() != 1 ||
      values.dims.size() != 1 || facts.provenUnequal(keys.dims[0], values.dims[0]) ||
      in[3].type.dims.size() > 1 || keys.type == DType::Item || values.type == DType::Item)
    return refused("map_labels", "its keys and values do not fit x, or each other");
  return std::vector<TensorType>{{values.type, in[0].type.dims}};
}

Types zipMapTypes(const Operands &in, const Attrs &, const DimFacts &facts) {
  const TensorType &x = in[0].type, &keys = in[1].type;
  if (x.dims.size() != 2 || !isFloat(x.type) || keys.dims.size() != 1 || keys.type == DType::Item ||
      facts.provenUnequal(x.dims[1], keys.dims[0]))
    return refused("zip_map", "it takes rows of scores and a label for each column");
  return std::vector<TensorType>{{DType::Item, {x.dims[0]}}};
}

} // namespace

void registerHostItems(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, std::array<uint8_t, 2> operands,
                 auto types, std::vector<AttrDecl> attrs, uint8_t results = 1) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = operands[0],
                   .maxOperands = operands[1],
                   .minResults = 1,
                   .maxResults = results,
                   .attrs = std::move(attrs),
                   .contract = FloatContract::Exact,
                   .hooks = {.types = types, .hostOp = name}});
  };
  const auto dtype = requiredAttr("dtype", AttrKind::Int, "the element type's number");
  const auto rank = requiredAttr("rank", AttrKind::Int, "the rank of the result");
  const auto axis = intAttr("axis", 0, "which axis");
  add("item_of", "x as a sequence of one.", {1, 1}, itemTypes, {});
  add("sequence_at", "The tensor at a place of a sequence.", {2, 2}, atTypes, {dtype, rank});
  add("sequence_insert", "A sequence with one more item at a place; absent: at the end.", {2, 3},
      insertTypes, {});
  add("sequence_erase", "A sequence without the item at a place; absent: the last.", {1, 2},
      eraseTypes, {});
  add("split_to_items", "Parts of x along an axis; operands x and lengths, or one length for all.",
      {1, 2}, splitTypes,
      {axis, intAttr("keepdims", 1, "0: parts of length 1 lose the axis, without lengths")});
  add("concat_items", "The tensors of a sequence along one axis.", {1, 1}, concatTypes,
      {axis, intAttr("new_axis", 0, "1: along an axis that they do not have"), dtype, rank});
  add("string_concat", "Strings put together, element by element.", {2, 2}, textConcatTypes, {});
  add("string_split", "The parts of strings and their numbers; operands x and the delimiter.",
      {1, 2}, textSplitTypes, {intAttr("most", -1, "at most so many splits; -1: any number")}, 2);
  add("string_normalize", "Strings without stop words, in one case; operands x and stop words.",
      {1, 2}, normalizeTypes,
      {intAttr("case", 0, "0: kept; 1: lower; 2: upper"),
       intAttr("sensitive", 0, "1: stop words are compared with their case")});
  add("regex_full_match", "Whether a pattern matches strings as a whole; operands x and it.",
      {2, 2}, matchTypes, {});
  add("to_strings", "Numbers as strings.", {1, 1}, toTextTypes, {});
  add("from_strings", "Strings as numbers.", {1, 1}, fromTextTypes, {dtype});
  add("zip_map", "Each row of x as a map from labels to its elements.", {2, 2}, zipMapTypes, {});
  add("map_labels", "The value of each element's key; operands x, keys, values, default.", {4, 4},
      labelTypes, {});
}

} // namespace imbrex::opmeaning
