#include "compiler/frontend/onnx/NodeContext.h"

namespace imbrex::frontend {
using opmeaning::Attrs;
using Kind = onnx::Attribute::Kind;

Attrs attrs(std::initializer_list<std::pair<const char *, opmeaning::AttrValue>> pairs) {
  Attrs a;
  for (const auto &[name, value] : pairs)
    a.values[name] = value;
  return a;
}

// --- Failure
// ------------------------------------------------------------------------------------------------

void NodeContext::fail(ImportProblem p) {
  if (!problem)
    problem = std::move(p);
}

void NodeContext::unsupported(std::string reason, std::string remedy, std::string attribute) {
  ImportProblem p;
  p.code = 411;
  p.reason = std::move(reason);
  p.remedy = std::move(remedy);
  p.attribute = std::move(attribute);
  fail(std::move(p));
}

void NodeContext::invalid(std::string reason, std::string attribute) {
  ImportProblem p;
  p.kind = ErrorKind::BadInput;
  p.code = 413;
  p.reason = std::move(reason);
  p.attribute = std::move(attribute);
  fail(std::move(p));
}

Value NodeContext::require(size_t i) {
  if (!has(i))
    invalid("input " + std::to_string(i) + " is missing");
  return in(i);
}

// --- Attributes
// ---------------------------------------------------------------------------------------------

const onnx::Attribute *NodeContext::find(std::string_view name, Kind kind) {
  const auto *a = node.attribute(name);
  if (a && a->kind != kind) {
    invalid("its attribute '" + std::string(name) + "' is of another kind than the operator's",
            std::string(name));
    return nullptr;
  }
  return a;
}

int64_t NodeContext::i(std::string_view name, int64_t fallback) {
  const auto *a = find(name, Kind::Int);
  return a ? a->ints[0] : fallback;
}

double NodeContext::f(std::string_view name, double fallback) {
  const auto *a = find(name, Kind::Float);
  return a ? a->floats[0] : fallback;
}

std::string NodeContext::s(std::string_view name, std::string fallback) {
  const auto *a = find(name, Kind::String);
  return a ? a->strings[0] : std::move(fallback);
}

std::vector<int64_t> NodeContext::is(std::string_view name, std::vector<int64_t> fallback) {
  const auto *a = find(name, Kind::Ints);
  return a ? a->ints : std::move(fallback);
}

std::vector<double> NodeContext::fs(std::string_view name) {
  const auto *a = find(name, Kind::Floats);
  return a ? std::vector<double>(a->floats.begin(), a->floats.end()) : std::vector<double>{};
}

std::optional<HostTensor> NodeContext::tensor(std::string_view name) {
  const auto *a = find(name, Kind::Tensor);
  if (!a) {
    invalid("its attribute '" + std::string(name) + "' is missing", std::string(name));
    return std::nullopt;
  }
  const auto &t = a->tensors[0];
  if (!t.supported()) {
    unsupported("a constant of type " + onnx::elemTypeName(t.elemType) + " is not supported", {},
                std::string(name));
    return std::nullopt;
  }
  return t.value;
}

DType NodeContext::type(std::string_view name, DType fallback) {
  const auto *a = find(name, Kind::Int);
  if (!a)
    return fallback;
  DType t = onnx::dtypeOf(static_cast<int32_t>(a->ints[0]));
  if (t == DType::Invalid)
    unsupported("element type " + onnx::elemTypeName(static_cast<int32_t>(a->ints[0])) +
                    " is not supported",
                {}, std::string(name));
  return t;
}

// --- Values
// -------------------------------------------------------------------------------------------------

const opmeaning::TensorType &NodeContext::typeOf(Value v) const {
  static const opmeaning::TensorType none{DType::F32, {}};
  return v.valid() ? recorder.info(v).type : none;
}

std::optional<std::vector<int64_t>> NodeContext::staticShape(Value v) const {
  std::vector<int64_t> shape;
  for (const auto &d : dims(v)) {
    auto size = d.constant();
    if (!size)
      return std::nullopt;
    shape.push_back(*size);
  }
  return shape;
}

const HostTensor *NodeContext::constantOf(Value v) const {
  if (!v.valid() || !recorder.info(v).constant)
    return nullptr;
  return &*recorder.info(v).constant;
}

std::optional<std::vector<int64_t>> NodeContext::ints(Value v, std::string_view what) {
  if (failed())
    return std::nullopt;
  const auto *c = constantOf(v);
  if (!c) {
    ImportProblem p;
    p.code = 411;
    p.reason = "its " + std::string(what) + " are not known before the model runs";
    p.remedy = "fixing them when exporting, or giving the sizes they depend on with --dim";
    if (v.valid())
      p.constantInputs = recorder.inputsOf(v);
    fail(std::move(p));
    return std::nullopt;
  }
  return c->toInts();
}

void NodeContext::unsupportedUnlessSized(Value v, std::string reason, std::string remedy) {
  ImportProblem p;
  p.code = 411;
  p.reason = std::move(reason);
  p.remedy = std::move(remedy);
  if (v.valid())
    p.constantInputs = recorder.inputsOfSizes(v);
  fail(std::move(p));
}

void NodeContext::needLength(Value v) {
  ImportProblem p;
  p.code = 411;
  p.reason =
      "the length of its operand " + typeOf(v).str() + " is not known, and a rank depends on it";
  p.remedy = "fixing it with --dim or --input-shape";
  p.sizedInputs = recorder.inputsOf(v);
  fail(std::move(p));
}

std::optional<std::vector<int64_t>> NodeContext::intsIn(size_t i, std::string_view what) {
  return has(i) ? ints(in(i), what) : std::nullopt;
}

void NodeContext::needConstant(size_t i, std::string_view what) {
  if (has(i) && !constantOf(in(i)))
    ints(in(i), what);
}

int64_t NodeContext::axis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    invalid("axis " + std::to_string(axis) + " is outside a tensor of rank " + std::to_string(rank),
            "axis");
    return 0;
  }
  return axis < 0 ? axis + rank : axis;
}

// --- Building
// -----------------------------------------------------------------------------------------------

std::string NodeContext::label() const {
  return !node.name.empty() ? node.name : !node.outputs.empty() ? node.outputs[0] : node.opType;
}

void NodeContext::fail(const Error &error) {
  ImportProblem p;
  p.kind = error.kind;
  p.code = error.code == 410 ? 410 : p.kind == ErrorKind::Unsupported ? 411 : 413;
  p.reason = error.what;
  if (!error.because.empty())
    p.reason += "; " + error.because;
  p.remedy = error.remedy;
  fail(std::move(p));
}

std::vector<Value> NodeContext::applyMany(std::string_view op, std::vector<Value> operands,
                                          Attrs given, size_t results) {
  std::vector<Value> none(results);
  if (failed())
    return none;
  auto made = recorder.apply(op, operands, std::move(given), label());
  if (made) {
    made->resize(std::max(results, made->size()));
    return *made;
  }
  for (Value v : operands) { // a shape, axes, repeats of a length that is open
    if (!v.valid() || rank(v) != 1 || !isInteger(dtype(v)) || dims(v)[0].constant())
      continue;
    needLength(v);
  }
  fail(made.error());
  return none;
}

Value NodeContext::apply(std::string_view op, std::vector<Value> operands, Attrs given) {
  return applyMany(op, std::move(operands), std::move(given))[0];
}

Value NodeContext::constant(HostTensor value) { return recorder.constant(std::move(value)); }

template <class T> static HostTensor one(DType type, T value) {
  return HostTensor::of<T>(type, {}, std::span<const T>(&value, 1));
}

Value NodeContext::scalar(double v, DType type) {
  switch (type) {
  case DType::Bool:
  case DType::U8:
    return constant(one(type, uint8_t(v)));
  case DType::I8:
    return constant(one(type, int8_t(v)));
  case DType::I16:
    return constant(one(type, int16_t(v)));
  case DType::U16:
    return constant(one(type, uint16_t(v)));
  case DType::I32:
    return constant(one(type, int32_t(v)));
  case DType::U32:
    return constant(one(type, uint32_t(v)));
  case DType::I64:
    return constant(one(type, int64_t(v)));
  case DType::U64:
    return constant(one(type, uint64_t(v)));
  case DType::F16:
    return constant(one(type, floatToHalf(float(v))));
  case DType::BF16:
    return constant(one(type, floatToBfloat16(float(v))));
  case DType::F32:
    return constant(one(type, float(v)));
  case DType::F64:
    return constant(one(type, v));
  case DType::String: // the empty one, and no item
  case DType::Item:
    return constant(one(type, uint64_t(v)));
  case DType::Invalid:
  default:
    break;
  }
  invalid("a constant of no element type");
  return {};
}

Value NodeContext::intVector(const std::vector<int64_t> &values) {
  return constant(HostTensor::of<int64_t>(DType::I64, {int64_t(values.size())}, values));
}

Value NodeContext::cast(Value v, DType to) {
  return dtype(v) == to ? v : apply("cast", {v}, attrs({{"to", to}}));
}

Value NodeContext::reshape(Value v, const std::vector<int64_t> &shape) {
  return apply("reshape", {v, intVector(shape)});
}

std::optional<std::vector<int64_t>> reshapeTarget(const std::vector<DimExpr> &wanted,
                                                  const std::vector<DimExpr> &own) {
  std::vector<int64_t> target;
  bool open = false;
  for (size_t k = 0; k < wanted.size(); ++k) {
    auto c = wanted[k].constant();
    open |= c == -1;
    if (c)
      target.push_back(*c);
    else if (k < own.size() && own[k] == wanted[k])
      target.push_back(0);
    else
      target.push_back(-2);
  }
  for (auto &t : target)
    if (t == -2) {
      if (open)
        return std::nullopt;
      open = true;
      t = -1;
    }
  return target;
}

Value NodeContext::sizes(const std::vector<DimExpr> &elements) {
  if (failed())
    return {};
  Value v = recorder.sizes(elements, {DType::I64, {int64_t(elements.size())}}, label());
  if (!v.valid())
    unsupported("a size that it needs is known only inside of another node",
                "fixing sizes with --dim or --input-shape");
  return v;
}

Value NodeContext::reshapeTo(Value v, const std::vector<DimExpr> &shape) {
  if (failed())
    return {};
  if (auto target = reshapeTarget(shape, dims(v)))
    return reshape(v, *target);
  return apply("reshape", {v, sizes(shape)});
}

Value NodeContext::filled(double value, DType type, const std::vector<DimExpr> &shape) {
  return apply("expand", {scalar(value, type), sizes(shape)});
}

std::vector<Value>
NodeContext::loop(std::vector<Value> inits,
                  const std::function<Value(const std::vector<Value> &)> &condition,
                  const std::function<std::vector<Value>(const std::vector<Value> &)> &body) {
  std::vector<Value> none(inits.size());
  if (failed())
    return none;
  // What the regions fail with is this node's failure already.
  auto stop = [&] { return imbrex::unsupported(411, "the loop's body is not supported"); };
  LoopCode code;
  code.condition = [&](const std::vector<Value> &v) -> Result<Value> {
    Value go = condition(v);
    return failed() ? Result<Value>(stop()) : Result<Value>(go);
  };
  code.body = [&](const std::vector<Value> &v) -> Result<std::vector<Value>> {
    auto next = body(v);
    return failed() ? Result<std::vector<Value>>(stop()) : Result<std::vector<Value>>(next);
  };
  auto made = recorder.loop(std::move(inits), code, label());
  if (made)
    return *made;
  fail(made.error());
  return none;
}

Value NodeContext::transpose(Value v, std::vector<int64_t> perm) {
  return apply("transpose", {v}, attrs({{"perm", std::move(perm)}}));
}

Value NodeContext::unsqueeze(Value v, std::vector<int64_t> axes) {
  return apply("unsqueeze", {v}, attrs({{"axes", std::move(axes)}}));
}

Value NodeContext::squeeze(Value v, std::vector<int64_t> axes) {
  return apply("squeeze", {v}, attrs({{"axes", std::move(axes)}}));
}

Value NodeContext::slice(Value v, int64_t axis, const DimExpr &begin, const DimExpr &end) {
  return apply("slice", {v, sizes({begin}), sizes({end}), intVector({axis}), intVector({1})});
}

Value NodeContext::size(const DimExpr &d) {
  if (failed())
    return {};
  Value v = recorder.sizes({d}, {DType::I64, {}}, label());
  return v.valid() ? v : squeeze(sizes({d}), {0}); // which says why not
}

Value NodeContext::places(const DimExpr &d) {
  return apply("range", {scalar(0, DType::I64), size(d), scalar(1, DType::I64)});
}

Value NodeContext::concat(std::vector<Value> parts, int64_t axis) {
  const opmeaning::Attrs along = attrs({{"axis", axis}});
  while (parts.size() > opmeaning::kMaxOperands) {
    std::vector<Value> joined;
    for (size_t i = 0; i < parts.size(); i += opmeaning::kMaxOperands) {
      auto some = std::span(parts).subspan(i, std::min(parts.size() - i, opmeaning::kMaxOperands));
      joined.push_back(some.size() == 1 ? some[0]
                                        : apply("concat", {some.begin(), some.end()}, along));
    }
    parts = std::move(joined);
  }
  return parts.size() == 1 ? parts[0] : apply("concat", std::move(parts), along);
}

} // namespace imbrex::frontend
