// Reads, constants, casts and element functions.
#include "support/opmeaning/Fold.h"
#include "support/opmeaning/evaluate/Arithmetic.h"
#include "support/opmeaning/evaluate/Compiler.h"
#include "support/opmeaning/evaluate/Pieces.h"

#include <bit>
#include <cstring>

namespace imbrex::opmeaning {

namespace {

// Reads.

template <DType T> Value load(const std::byte *data, int64_t i) {
  auto as = [&]<class E>(E v) {
    std::memcpy(&v, data + i * static_cast<int64_t>(sizeof(E)), sizeof(E));
    return v;
  };
  if constexpr (T == DType::F32)
    return real(as(float()));
  else if constexpr (T == DType::F64)
    return real(as(double()));
  else if constexpr (T == DType::F16)
    return real(halfToFloat(as(uint16_t())));
  else if constexpr (T == DType::BF16)
    return real(bfloat16ToFloat(as(uint16_t())));
  else if constexpr (T == DType::Bool)
    return integer(as(uint8_t()) != 0);
  else if constexpr (T == DType::I8)
    return integer(as(int8_t()));
  else if constexpr (T == DType::I16)
    return integer(as(int16_t()));
  else if constexpr (T == DType::I32)
    return integer(as(int32_t()));
  else if constexpr (T == DType::U8)
    return integer(as(uint8_t()));
  else if constexpr (T == DType::U16)
    return integer(as(uint16_t()));
  else if constexpr (T == DType::U32)
    return integer(as(uint32_t()));
  else
    return integer(as(int64_t()));
}

/// A dimension whose index may be illegal.
struct Checked {
  const Code *index;
  int64_t extent, stride;
};

template <DType T> struct ReadCode final : Code {
  const std::byte *data;
  Affine offset; // of the dimensions whose indices are always legal
  ReadCode(const std::byte *data, Affine offset) : data(data), offset(std::move(offset)) {}
  Value run(Frame &f) const override { return load<T>(data, offset.at(f)); }
};

template <DType T> struct CheckedReadCode final : Code {
  const std::byte *data;
  Affine offset;
  std::vector<Checked> checks;
  CheckedReadCode(const std::byte *data, Affine offset, std::vector<Checked> checks)
      : data(data), offset(std::move(offset)), checks(std::move(checks)) {}
  Value run(Frame &f) const override {
    int64_t at = offset.at(f);
    for (const Checked &c : checks) {
      int64_t i = c.index->run(f).i;
      if (i < 0 || i >= c.extent) {
        f.fail(Fault::OutOfBounds);
        return {.i = 0};
      }
      at += i * c.stride;
    }
    return load<T>(data, at);
  }
};

/// U64 as an index: what no int64 can hold becomes INT64_MAX.
struct SaturateU64Code final : Code {
  const Code *a;
  explicit SaturateU64Code(const Code *a) : a(a) {}
  Value run(Frame &f) const override {
    int64_t v = a->run(f).i;
    return integer(v < 0 ? INT64_MAX : v);
  }
};

template <DType T>
const Code *makeRead(CodeArena &arena, const std::byte *data, Affine offset,
                     std::vector<Checked> checks) {
  if (checks.empty())
    return arena.add(ReadCode<T>(data, std::move(offset)));
  return arena.add(CheckedReadCode<T>(data, std::move(offset), std::move(checks)));
}

// Functions. `Round` rounds a double to the dtype.

template <DType T> double rounded(double v) { return roundTo(T, v); }
template <> inline double rounded<DType::F32>(double v) { return static_cast<float>(v); }
template <> inline double rounded<DType::F64>(double v) { return v; }

template <DType T, FnId F> struct ArithmeticCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override {
    double x = a->run(f).d, y = b->run(f).d;
    if constexpr (F == FnId::Add)
      return real(rounded<T>(x + y));
    else if constexpr (F == FnId::Sub)
      return real(rounded<T>(x - y));
    else if constexpr (F == FnId::Mul)
      return real(rounded<T>(x * y));
    else
      return real(rounded<T>(x / y));
  }
};

struct UnaryRealCode final : Code {
  const Code *a;
  UnaryReal fn;
  DType type;
  UnaryRealCode(const Code *a, UnaryReal fn, DType type) : a(a), fn(fn), type(type) {}
  Value run(Frame &f) const override { return real(roundTo(type, fn(a->run(f).d))); }
};

struct BinaryRealCode final : BinaryCode {
  BinaryReal fn;
  DType type;
  BinaryRealCode(const Code *a, const Code *b, BinaryReal fn, DType type)
      : BinaryCode(a, b), fn(fn), type(type) {}
  Value run(Frame &f) const override {
    double x = a->run(f).d, y = b->run(f).d;
    return real(roundTo(type, fn(x, y)));
  }
};

struct TestRealCode final : BinaryCode { // b may be null
  FnId fn;
  TestRealCode(const Code *a, const Code *b, FnId fn) : BinaryCode(a, b), fn(fn) {}
  Value run(Frame &f) const override {
    double x = a->run(f).d, y = b ? b->run(f).d : 0;
    return integer(testReal(fn, x, y));
  }
};

struct IntegerCode final : BinaryCode { // b may be null
  FnId fn;
  DType type;
  IntegerCode(const Code *a, const Code *b, FnId fn, DType type)
      : BinaryCode(a, b), fn(fn), type(type) {}
  Value run(Frame &f) const override {
    int64_t x = a->run(f).i, y = b ? b->run(f).i : 0;
    bool undefined = false;
    int64_t v = applyInteger(fn, type, x, y, undefined);
    if (undefined)
      f.fail(Fault::DivisionByZero);
    return integer(v);
  }
};

// Casts. A float out of an integer's range saturates and NaN gives 0: a value for what is
// undefined, so that results repeat.

struct RoundCode final : Code {
  const Code *a;
  DType to;
  RoundCode(const Code *a, DType to) : a(a), to(to) {}
  Value run(Frame &f) const override { return real(roundTo(to, a->run(f).d)); }
};
struct RealToIntegerCode final : Code {
  const Code *a;
  DType to;
  RealToIntegerCode(const Code *a, DType to) : a(a), to(to) {}
  Value run(Frame &f) const override { return integer(saturateTo(to, a->run(f).d)); }
};
struct IntegerToRealCode final : Code {
  const Code *a;
  DType from, to;
  IntegerToRealCode(const Code *a, DType from, DType to) : a(a), from(from), to(to) {}
  Value run(Frame &f) const override { return real(intToFloat(from, a->run(f).i, to)); }
};
struct WrapCode final : Code {
  const Code *a;
  DType to;
  WrapCode(const Code *a, DType to) : a(a), to(to) {}
  Value run(Frame &f) const override { return integer(wrapTo(to, a->run(f).i)); }
};

/// A value's bits as an integer, and back.
int64_t bitsOf(DType type, Value v) {
  switch (type) {
  case DType::F64:
    return std::bit_cast<int64_t>(v.d);
  case DType::F32:
    return std::bit_cast<int32_t>(static_cast<float>(v.d));
  case DType::F16:
    return floatToHalf(static_cast<float>(v.d));
  case DType::BF16:
    return floatToBfloat16(static_cast<float>(v.d));
  default:
    return v.i;
  }
}
Value fromBits(DType type, int64_t bits) {
  switch (type) {
  case DType::F64:
    return real(std::bit_cast<double>(bits));
  case DType::F32:
    return real(std::bit_cast<float>(static_cast<int32_t>(bits)));
  case DType::F16:
    return real(halfToFloat(static_cast<uint16_t>(bits)));
  case DType::BF16:
    return real(bfloat16ToFloat(static_cast<uint16_t>(bits)));
  case DType::I4:
  case DType::I2:
    return integer(wrapTo(DType::I8, bits));
  default:
    return integer(isNarrow(type) ? wrapTo(DType::U8, bits) : wrapTo(type, bits));
  }
}
struct BitsCode final : Code {
  const Code *a;
  DType from, to;
  BitsCode(const Code *a, DType from, DType to) : a(a), from(from), to(to) {}
  Value run(Frame &f) const override { return fromBits(to, bitsOf(from, a->run(f))); }
};

template <DType T>
const Code *makeArithmetic(CodeArena &arena, FnId fn, const Code *a, const Code *b) {
  switch (fn) {
  case FnId::Add:
    return arena.add(ArithmeticCode<T, FnId::Add>(a, b));
  case FnId::Sub:
    return arena.add(ArithmeticCode<T, FnId::Sub>(a, b));
  case FnId::Mul:
    return arena.add(ArithmeticCode<T, FnId::Mul>(a, b));
  case FnId::Div:
    return arena.add(ArithmeticCode<T, FnId::Div>(a, b));
  default:
    return nullptr;
  }
}

} // namespace

const HostTensor *Compiler::tensor(Source s) const {
  if (s.kind == Source::Kind::Operand)
    return s.index < around.operands->size() ? (*around.operands)[s.index] : nullptr;
  return s.index < around.defs->size() && (*around.defs)[s.index] ? &*(*around.defs)[s.index]
                                                                  : nullptr;
}

const Code *Compiler::read(const Node *n) {
  const HostTensor *t = tensor(n->source);
  if (!t || t->shape().size() != n->args.size())
    return fail(internalError(544, "a read of something that was not computed"));
  Affine offset;
  std::vector<Checked> checks;
  int64_t stride = 1;
  for (size_t d = n->args.size(); d-- > 0;) {
    int64_t extent = t->shape()[d];
    auto a = affine(n->args[d]);
    if (a && a->lo >= 0 && a->hi < extent) {
      offset.base += a->base * stride;
      for (const auto &[slot, c] : a->parts)
        offset.parts.emplace_back(slot, c * stride);
    } else {
      checks.insert(checks.begin(), Checked{code(n->args[d]), extent, stride});
    }
    stride *= std::max<int64_t>(extent, 1);
  }
  const std::byte *data = t->bytes().data();
  // An empty tensor has no legal place; the zero-stride reads above would not notice a rank of 0
  // alone.
  if (t->elems() == 0)
    return arena.add(FaultCode(Fault::OutOfBounds));
  auto make = [&]<DType T>() { return makeRead<T>(arena, data, offset, checks); };
  switch (t->type()) {
  case DType::Bool:
    return make.operator()<DType::Bool>();
  case DType::I8:
    return make.operator()<DType::I8>();
  case DType::I16:
    return make.operator()<DType::I16>();
  case DType::I32:
    return make.operator()<DType::I32>();
  case DType::I64:
    return make.operator()<DType::I64>();
  case DType::U8:
    return make.operator()<DType::U8>();
  case DType::U16:
    return make.operator()<DType::U16>();
  case DType::U32:
    return make.operator()<DType::U32>();
  case DType::String:
  case DType::Item:
    return make.operator()<DType::U64>();
  case DType::U64: {
    const Code *c = make.operator()<DType::U64>();
    return n->kind == TermKind::IxRead ? arena.add(SaturateU64Code(c)) : c;
  }
  case DType::F16:
    return make.operator()<DType::F16>();
  case DType::BF16:
    return make.operator()<DType::BF16>();
  case DType::F32:
    return make.operator()<DType::F32>();
  case DType::F64:
    return make.operator()<DType::F64>();
  case DType::I4:
  case DType::I2:
    return make.operator()<DType::I8>();
  case DType::F8E4M3FN: // codes
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0:
  case DType::F4E2M1:
  case DType::U4:
  case DType::U2:
    return make.operator()<DType::U8>();
  case DType::Invalid:
    break;
  }
  return fail(internalError(544, "a read of a tensor without a type"));
}

const Code *Compiler::constant(const Node *n) {
  if (!isFloat(n->type))
    return arena.add(ConstantCode(integer(n->number)));
  return arena.add(ConstantCode(real(realMode() ? n->real : roundTo(n->type, n->real))));
}

const Code *Compiler::cast(const Node *n) {
  const Code *a = code(n->args[0]);
  // In real mode every float is a double.
  DType to = realMode() && isFloat(n->type) ? DType::F64 : n->type;
  bool fromIndex = n->kind == TermKind::VFromIx;
  DType from = fromIndex ? DType::I64 : n->args[0]->type;
  if (isFloat(from)) {
    if (isFloat(to))
      return to == DType::F64 ? a : arena.add(RoundCode(a, to));
    return arena.add(RealToIntegerCode(a, to));
  }
  if (isFloat(to))
    return arena.add(IntegerToRealCode(a, from, to));
  return byteSize(to) == 8 ? a : arena.add(WrapCode(a, to));
}

const Code *Compiler::apply(const Node *n) {
  DType operand = n->args[0]->type;
  const Code *a = code(n->args[0]);
  const Code *b = n->args.size() > 1 ? code(n->args[1]) : nullptr;
  if (!isFloat(operand))
    return arena.add(IntegerCode(a, b, n->fn, operand));
  if (info(n->fn).result == ResultRule::Bool)
    return arena.add(TestRealCode(a, b, n->fn));
  DType type = realMode() ? DType::F64 : operand;
  if (UnaryReal fn = b ? nullptr : unaryReal(n->fn))
    return arena.add(UnaryRealCode(a, fn, type));
  const Code *fast = !b                    ? nullptr
                     : type == DType::F32  ? makeArithmetic<DType::F32>(arena, n->fn, a, b)
                     : type == DType::F64  ? makeArithmetic<DType::F64>(arena, n->fn, a, b)
                     : type == DType::F16  ? makeArithmetic<DType::F16>(arena, n->fn, a, b)
                     : type == DType::BF16 ? makeArithmetic<DType::BF16>(arena, n->fn, a, b)
                                           : nullptr;
  if (fast)
    return fast;
  if (BinaryReal fn = b ? binaryReal(n->fn) : nullptr)
    return arena.add(BinaryRealCode(a, b, fn, type));
  return fail(internalError(544, "'" + std::string(info(n->fn).name) + "' has no evaluation"));
}

const Code *Compiler::scalar(const Node *n) {
  switch (n->kind) {
  case TermKind::VConst:
    return constant(n);
  case TermKind::VCast:
  case TermKind::VFromIx:
    return cast(n);
  case TermKind::VBits:
    return arena.add(BitsCode(code(n->args[0]), n->args[0]->type, n->type));
  case TermKind::VFromPred:
  case TermKind::VDetach:
    return code(n->args[0]);
  case TermKind::VRead:
    return read(n);
  case TermKind::VApply:
    return apply(n);
  case TermKind::VSelect:
    return arena.add(SelectCode(code(n->args[0]), code(n->args[1]), code(n->args[2])));
  default:
    return fold(n);
  }
}

} // namespace imbrex::opmeaning
