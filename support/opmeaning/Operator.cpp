#include "support/opmeaning/Operator.h"

#include <cassert>

namespace imbrex::opmeaning {

template <class T> static const T &get(const Attrs &a, std::string_view name) {
  auto it = a.values.find(name);
  assert(it != a.values.end() && std::holds_alternative<T>(it->second));
  return std::get<T>(it->second);
}

int64_t Attrs::i(std::string_view name) const { return get<int64_t>(*this, name); }
double Attrs::r(std::string_view name) const { return get<double>(*this, name); }
const std::string &Attrs::s(std::string_view name) const { return get<std::string>(*this, name); }
const std::vector<int64_t> &Attrs::is(std::string_view name) const {
  return get<std::vector<int64_t>>(*this, name);
}
const std::vector<double> &Attrs::rs(std::string_view name) const {
  return get<std::vector<double>>(*this, name);
}
DType Attrs::t(std::string_view name) const { return get<DType>(*this, name); }

static const AttrDecl *findAttr(const Operator &op, std::string_view name) {
  for (const AttrDecl &d : op.attrs)
    if (d.name == name)
      return &d;
  return nullptr;
}

static std::string_view kindName(AttrKind k) {
  constexpr std::string_view kNames[] = {"an integer",        "a number",
                                         "a string",          "a list of integers",
                                         "a list of numbers", "an element type"};
  return kNames[static_cast<size_t>(k)];
}

/// The value as the declared kind: integers may stand for numbers, and an empty list for any list.
static std::optional<AttrValue> convert(const AttrValue &v, AttrKind kind) {
  if (v.index() == static_cast<size_t>(kind))
    return v;
  if (kind == AttrKind::Real && std::holds_alternative<int64_t>(v))
    return static_cast<double>(std::get<int64_t>(v));
  if (kind == AttrKind::Reals && std::holds_alternative<std::vector<int64_t>>(v)) {
    const auto &ints = std::get<std::vector<int64_t>>(v);
    return std::vector<double>(ints.begin(), ints.end());
  }
  if (kind == AttrKind::Ints && std::holds_alternative<std::vector<double>>(v) &&
      std::get<std::vector<double>>(v).empty())
    return std::vector<int64_t>();
  return std::nullopt;
}

Result<Attrs> completeAttrs(const Operator &op, Attrs given) {
  std::string of = " of '" + std::string(op.name) + "'";
  for (auto &[name, value] : given.values) {
    const AttrDecl *d = findAttr(op, name);
    if (!d) {
      std::string list;
      for (const AttrDecl &a : op.attrs)
        list += (list.empty() ? "one of: " : ", ") + std::string(a.name);
      return badInput(530, "unknown attribute '" + name + "'" + of, {}, list);
    }
    auto converted = convert(value, d->kind);
    if (!converted)
      return badInput(532, "the attribute '" + name + "'" + of + " has the wrong kind of value",
                      "it is " + std::string(kindName(d->kind)));
    value = std::move(*converted);
  }
  for (const AttrDecl &d : op.attrs) {
    if (given.has(d.name))
      continue;
    if (!d.fallback)
      return badInput(531, "the attribute '" + std::string(d.name) + "'" + of + " is missing",
                      "it is required and " + std::string(kindName(d.kind)));
    auto converted = convert(*d.fallback, d.kind);
    assert(converted && "a fallback of the wrong kind");
    given.values.emplace(std::string(d.name), std::move(*converted));
  }
  return given;
}

/// The number of operands, and that the required ones are present: meanings rely on it.
static Status checkOperands(const Operator &op, const std::vector<Operand> &operands) {
  const size_t count = operands.size();
  if (count >= op.minOperands && (op.maxOperands == 255 || count <= op.maxOperands)) {
    const size_t required = op.maxOperands == 255 ? count : op.minOperands;
    for (size_t i = 0; i < required; ++i)
      if (!operands[i].present)
        return badInput(533, "operand " + std::to_string(i) + " of '" + std::string(op.name) +
                                 "' is missing");
    return {};
  }
  std::string wants = std::to_string(op.minOperands);
  if (op.maxOperands == 255)
    wants += " or more";
  else if (op.maxOperands != op.minOperands)
    wants += " to " + std::to_string(op.maxOperands);
  return badInput(533, "'" + std::string(op.name) + "' has " + std::to_string(count) + " operands",
                  "it takes " + wants);
}

std::string hostFunctionName(const Operator &op, const Attrs &attrs) {
  return op.name == "custom" ? attrs.s("function") : std::string(op.hooks.hostOp);
}

std::vector<HostTensor> hostParameters(const Operator &op, const Attrs &attrs) {
  std::vector<int64_t> integers;
  std::vector<double> reals;
  for (const AttrDecl &d : op.attrs) {
    if (d.kind == AttrKind::Int)
      integers.push_back(attrs.i(d.name));
    else if (d.kind == AttrKind::Real)
      reals.push_back(attrs.r(d.name));
  }
  std::vector<HostTensor> out;
  out.push_back(
      HostTensor::of<int64_t>(DType::I64, {static_cast<int64_t>(integers.size())}, integers));
  if (!reals.empty())
    out.push_back(HostTensor::of<double>(DType::F64, {static_cast<int64_t>(reals.size())}, reals));
  if (op.name == "custom") {
    const std::string &text = attrs.s("attributes");
    out.push_back(HostTensor::of<char>(DType::U8, {static_cast<int64_t>(text.size())}, text));
  }
  return out;
}

/// The largest coefficient sum in `size`: what it amounts to when its symbols are 1.
static int64_t magnitude(const DimExpr &size) {
  int64_t sum = 0;
  for (const DimExpr::Term &t : size.terms())
    if (t.coefficient == INT64_MIN || __builtin_add_overflow(sum, std::abs(t.coefficient), &sum))
      return INT64_MAX;
  return sum;
}

/// Of empty tensors too: their strides are products of the other sizes. Room is left for what
/// rounding up to lines of memory adds.
Status checkExtent(const TensorType &type) {
  constexpr size_t kMaxRank = 64;
  constexpr int64_t kMaxBytes = int64_t{1} << 62;
  if (type.dims.size() > kMaxRank)
    return unsupported(411, "a tensor of rank " + std::to_string(type.dims.size()),
                       "tensors have at most " + std::to_string(kMaxRank) + " dimensions");
  auto tooLarge = [&] {
    return unsupported(411, "a tensor " + type.str() + " is too large",
                       "its size in bytes does not fit in 64 bits");
  };
  int64_t bytes = byteSize(type.type);
  DimExpr product = bytes;
  for (const DimExpr &d : type.dims) {
    if (!d.valid())
      return tooLarge();
    if (d.isConstant(0))
      continue;
    if (__builtin_mul_overflow(bytes, magnitude(d), &bytes) || bytes > kMaxBytes)
      return tooLarge();
    product = product * d;
    if (!product.valid())
      return unsupported(411, "a tensor " + type.str() + " has too many open sizes",
                         "their product has too many factors or terms", "fixing some of them");
  }
  return {};
}

static Status checkExtents(const std::vector<TensorType> &types) {
  for (const TensorType &type : types)
    if (auto fits = checkExtent(type); !fits)
      return fits;
  return {};
}

Result<Program> meaningOf(const Operator &op, const std::vector<Operand> &operands,
                          const Attrs &attrs, const DimFacts &facts) {
  if (operands.size() > kMaxOperands)
    return unsupported(
        411, "'" + std::string(op.name) + "' with " + std::to_string(operands.size()) + " operands",
        "operators have at most " + std::to_string(kMaxOperands));
  if (auto s = checkOperands(op, operands); !s)
    return s.takeError();
  if (!op.meaning)
    return internalError(534, "'" + std::string(op.name) + "' has no index form");
  auto complete = completeAttrs(op, attrs);
  if (!complete)
    return complete.takeError();
  Builder b(operands, facts);
  auto p = op.meaning(b, *complete);
  if (p) {
    if (auto fits = checkExtents(p->outputTypes()); !fits)
      return fits.takeError();
    for (Def &d : p->defs)
      d.contract = op.contract;
    return p;
  }
  Error e = p.takeError();
  if (e.code != 520)
    e.what = "'" + std::string(op.name) + "': " + e.what;
  else {
    e.because = e.because.empty() ? e.what : e.what + "; " + e.because;
    std::string types;
    for (const Operand &o : operands)
      types += (types.empty() ? "" : ", ") + (o.present ? o.type.str() : std::string("none"));
    e.what = "'" + std::string(op.name) + "' cannot take operands (" + types + ")";
  }
  return e;
}

Result<std::vector<TensorType>> typesOf(const Operator &op, const std::vector<Operand> &operands,
                                        const Attrs &attrs, const DimFacts &facts) {
  if (op.meaning) {
    auto p = meaningOf(op, operands, attrs, facts);
    if (!p)
      return p.takeError();
    return p->outputTypes();
  }
  if (auto s = checkOperands(op, operands); !s)
    return s.takeError();
  auto complete = completeAttrs(op, attrs);
  if (!complete)
    return complete.takeError();
  auto types = op.hooks.types(operands, *complete, facts);
  if (types)
    if (auto fits = checkExtents(*types); !fits)
      return fits.takeError();
  return types;
}

} // namespace imbrex::opmeaning
