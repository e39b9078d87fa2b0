// Sequences and optionals: vectors of items (support/opmeaning/ops/HostItems.cpp). What the items
// hold follows from how the vector was made; an element's type must be known where it is taken out.
#include "compiler/frontend/onnx/Converters.h"

namespace imbrex::frontend {

bool operator==(const Container &a, const Container &b) {
  return a.kind == b.kind && a.type == b.type && a.rank == b.rank && a.key == b.key &&
         (a.inner == b.inner || (a.inner && b.inner && *a.inner == *b.inner));
}

ContainerPtr joined(const ContainerPtr &a, const ContainerPtr &b) {
  if (!a || !b)
    return nullptr;
  Container c = *a;
  if (c.type == DType::Invalid) {
    c = *b;
  } else if (b->type != DType::Invalid) {
    if (c.type != b->type || c.key != b->key)
      return nullptr;
    if (c.rank == Container::kUnknown)
      c.rank = b->rank;
    else if (b->rank != Container::kUnknown && b->rank != c.rank)
      c.rank = Container::kMixed;
    if (c.type == DType::Item)
      c.inner = joined(a->inner, b->inner);
  }
  return std::make_shared<Container>(c);
}

namespace {

using Kind = Container::Kind;

bool isItems(NodeContext &n, Value v) { return v.valid() && n.dtype(v) == DType::Item; }

ContainerPtr containerOf(NodeContext &n, Value v) {
  return v.valid() ? n.record().info(v).container : nullptr;
}

/// A container of what `v` is.
ContainerPtr around(NodeContext &n, Value v, Kind kind) {
  Container c{kind, n.dtype(v), n.rank(v), isItems(n, v) ? containerOf(n, v) : nullptr};
  return std::make_shared<Container>(c);
}

/// `v` and what it holds; invalid after a failure.
Value holding(NodeContext &n, Value v, ContainerPtr container) {
  if (!n.failed() && v.valid())
    n.record().setContainer(v, std::move(container));
  return v;
}

/// Operand 0; fails where it is no sequence.
Value sequenceIn(NodeContext &n) {
  Value v = n.require(0);
  if (!n.failed() && !isItems(n, v))
    n.invalid("its input is a tensor, not a sequence");
  return v;
}

Value itemOf(NodeContext &n, Value v, Kind kind) {
  return n.failed() ? Value{} : holding(n, n.apply("item_of", {v}), around(n, v, kind));
}

Value emptyOf(NodeContext &n, Container c) {
  return holding(n, n.constant(HostTensor(DType::Item, {0})), std::make_shared<Container>(c));
}

/// The type of what is taken out of a container; fails where it is not known.
const Container *elementOf(NodeContext &n, Value v) {
  const Container *c = n.failed() ? nullptr : containerOf(n, v).get();
  if (n.failed() ||
      (c && c->type != DType::Invalid && c->rank >= 0 && (c->type != DType::Item || c->inner)))
    return c;
  if (c && c->rank == Container::kMixed)
    n.unsupported("the elements of its sequence have different ranks",
                  "a sequence of tensors of one rank");
  else
    n.unsupported("the rank of the elements of its sequence is not known",
                  "a model that declares the shapes of the sequence's elements");
  return nullptr;
}

Value elementAt(NodeContext &n, Value sequence, Value place) {
  const Container *c = elementOf(n, sequence);
  if (!c)
    return {};
  ContainerPtr inner = c->inner;
  return holding(n,
                 n.apply("sequence_at", {sequence, place},
                         attrs({{"dtype", int64_t(c->type)}, {"rank", c->rank}})),
                 inner);
}

void takeOut(NodeContext &n, Value sequence, Value place) {
  if (Value v = elementAt(n, sequence, place); v.valid())
    n.result(v);
}

void construct(NodeContext &n) {
  n.require(0);
  std::vector<Value> items;
  ContainerPtr all;
  for (Value v : n.all()) {
    items.push_back(itemOf(n, v, Kind::Sequence));
    if (n.failed())
      return;
    all = items.size() == 1 ? containerOf(n, items[0]) : joined(all, containerOf(n, items.back()));
  }
  if (!all)
    return n.invalid("its inputs have different element types");
  n.result(holding(n, n.concat(items, 0), all));
}

void empty(NodeContext &n) {
  Container c;
  if (n.i("dtype", 1) != 0) // 0: of any type, in what SequenceMap becomes
    c.type = n.type("dtype", DType::F32);
  n.result(emptyOf(n, c));
}

void insert(NodeContext &n) {
  Value sequence = sequenceIn(n), item = itemOf(n, n.require(1), Kind::Sequence);
  ContainerPtr all = joined(containerOf(n, sequence), containerOf(n, item));
  if (!n.failed() && !all)
    return n.invalid("its sequence and its tensor have different element types");
  n.result(holding(n, n.apply("sequence_insert", {sequence, item, n.in(2)}), all));
}

void erase(NodeContext &n) { n.result(n.apply("sequence_erase", {sequenceIn(n), n.in(1)})); }

void at(NodeContext &n) {
  Value sequence = sequenceIn(n);
  takeOut(n, sequence, n.require(1));
}

void length(NodeContext &n) {
  Value sequence = sequenceIn(n);
  if (!n.failed())
    n.result(n.size(n.dims(sequence)[0]));
}

void split(NodeContext &n) {
  Value x = n.require(0);
  const int64_t keep = n.i("keepdims", 1);
  Container c{Kind::Sequence, n.dtype(x), n.rank(x) - (!n.has(1) && keep == 0), nullptr};
  n.result(holding(n,
                   n.apply("split_to_items", {x, n.in(1)},
                           attrs({{"axis", n.i("axis", 0)}, {"keepdims", keep}})),
                   std::make_shared<Container>(c)));
}

void concat(NodeContext &n) {
  Value sequence = sequenceIn(n);
  const Container *c = elementOf(n, sequence);
  if (!c)
    return;
  if (!n.hasAttr("axis"))
    return n.invalid("its attribute 'axis' is missing", "axis");
  const int64_t isNew = n.i("new_axis", 0);
  n.result(n.apply("concat_items", {sequence},
                   attrs({{"axis", n.i("axis", 0)},
                          {"new_axis", isNew},
                          {"dtype", int64_t(c->type)},
                          {"rank", c->rank + (isNew != 0)}})));
}

// --- Optionals

Container containerOfType(const onnx::ValueType &type) {
  Container c;
  c.kind = Kind::Optional;
  if (type.kind == onnx::ValueType::Kind::Tensor) {
    c.type = onnx::dtypeOf(type.elemType);
    if (type.shape == onnx::ValueType::Shape::Known)
      c.rank = static_cast<int64_t>(type.dims.size());
  } else {
    Container inner = type.element ? containerOfType(*type.element) : Container{};
    const bool map = type.kind == onnx::ValueType::Kind::Map;
    inner.kind = map                                            ? Kind::Map
                 : type.kind == onnx::ValueType::Kind::Optional ? Kind::Optional
                                                                : Kind::Sequence;
    if (map)
      inner.key = onnx::dtypeOf(type.elemType), inner.rank = 1;
    c.type = DType::Item, c.rank = map ? 2 : 1;
    c.inner = std::make_shared<Container>(inner);
  }
  return c;
}

void optional(NodeContext &n) {
  if (n.has(0))
    return n.result(itemOf(n, n.in(0), Kind::Optional));
  const auto *type = n.proto().attribute("type");
  if (!type || type->types.empty())
    return n.invalid("it has neither an input nor a type", "type");
  n.result(emptyOf(n, containerOfType(type->types[0])));
}

bool isOptional(NodeContext &n, Value v) {
  ContainerPtr c = containerOf(n, v);
  return isItems(n, v) && c && c->kind == Kind::Optional;
}

void hasElement(NodeContext &n) {
  if (!n.has(0) || !isOptional(n, n.in(0)))
    return n.result(n.scalar(n.has(0), DType::Bool));
  Value size = n.size(n.dims(n.in(0))[0]);
  n.result(n.apply("less", {n.scalar(0, DType::I64), size}));
}

void getElement(NodeContext &n) {
  Value v = n.require(0);
  if (n.failed() || !isOptional(n, v))
    return n.result(v);
  takeOut(n, v, n.scalar(0, DType::I64));
}

constexpr ConverterRow kRows[] = {
    {"ConcatFromSequence", 11, concat},
    {"Optional", 15, optional},
    {"OptionalGetElement", 15, getElement},
    {"OptionalHasElement", 15, hasElement},
    {"SequenceAt", 11, at},
    {"SequenceConstruct", 11, construct},
    {"SequenceEmpty", 11, empty},
    {"SequenceErase", 11, erase},
    {"SequenceInsert", 11, insert},
    {"SequenceLength", 11, length},
    {"SplitToSequence", 11, split},
};

} // namespace

ConverterRows sequenceRows() { return kRows; }

Value optionalOf(NodeContext &n, Value v) { return itemOf(n, v, Kind::Optional); }

Value elementOfOptional(NodeContext &n, Value optional) {
  return elementAt(n, optional, n.scalar(0, DType::I64));
}

} // namespace imbrex::frontend
