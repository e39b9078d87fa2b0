#include "compiler/reference/TileElements.h"

#include "support/DType.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace imbrex::tile {

using namespace mlir;

static unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

Element realElement(Type type, double value) {
  if (type.isF32())
    return {static_cast<float>(value), 0};
  if (type.isF64() || std::isnan(value))
    return {value, 0};
  APFloat rounded(value);
  bool lossy;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return {rounded.convertToDouble(), 0};
}

Element wholeElement(Type type, int64_t value) {
  unsigned width = widthOf(type);
  if (width == 1)
    return {0, value & 1};
  return {0, width == 64 ? value : llvm::SignExtend64(static_cast<uint64_t>(value), width)};
}

Element constantElement(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return realElement(real.getType(), real.getValueAsDouble());
  auto whole = cast<IntegerAttr>(value);
  return wholeElement(whole.getType(), whole.getValue().getSExtValue());
}

int64_t elementBytes(Type type) { return (widthOf(type) + 7) / 8; }

Element loadElement(Type type, const std::byte *at) {
  uint64_t bits = 0;
  memcpy(&bits, at, static_cast<size_t>(elementBytes(type)));
  if (type.isF64())
    return {std::bit_cast<double>(bits), 0};
  if (type.isF32())
    return {std::bit_cast<float>(static_cast<uint32_t>(bits)), 0};
  if (type.isF16())
    return {halfToFloat(static_cast<uint16_t>(bits)), 0};
  if (type.isBF16())
    return {bfloat16ToFloat(static_cast<uint16_t>(bits)), 0};
  if (type.isInteger(1))
    return {0, bits != 0};
  return wholeElement(type, static_cast<int64_t>(bits));
}

void storeElement(Type type, const Element &value, std::byte *at) {
  uint64_t bits = static_cast<uint64_t>(value.whole);
  if (type.isF64())
    bits = std::bit_cast<uint64_t>(value.real);
  else if (type.isF32())
    bits = std::bit_cast<uint32_t>(static_cast<float>(value.real));
  else if (type.isF16())
    bits = floatToHalf(static_cast<float>(value.real));
  else if (type.isBF16())
    bits = floatToBfloat16(static_cast<float>(value.real));
  memcpy(at, &bits, static_cast<size_t>(elementBytes(type)));
}

//===-- Arithmetic ----------------------------------------------------------===//

namespace {

/// One computation: operands, result type and what went wrong.
struct Compute {
  ArrayRef<Element> in;
  Type from, to;
  bool &undefined;

  double x() const { return in[0].real; }
  double y() const { return in[1].real; }
  int64_t a() const { return in[0].whole; }
  int64_t b() const { return in[1].whole; }
  uint64_t bits(int64_t v) const {
    unsigned width = widthOf(from);
    return width == 64 ? uint64_t(v) : uint64_t(v) & ((uint64_t(1) << width) - 1);
  }
  Element real(double v) const { return realElement(to, v); }
  Element whole(int64_t v) const { return wholeElement(to, v); }

  bool divides(bool isSigned) {
    bool bad = b() == 0 ||
               (isSigned && b() == -1 && a() == llvm::minIntN(static_cast<int64_t>(widthOf(from))));
    undefined |= bad;
    return !bad;
  }
  bool shifts() {
    bool bad = bits(b()) >= widthOf(from);
    undefined |= bad;
    return !bad;
  }
  Element toWhole(bool isSigned) {
    unsigned width = widthOf(to);
    double lo = isSigned ? -std::ldexp(1.0, int(width) - 1) : 0;
    double hi = std::ldexp(1.0, int(width) - (isSigned ? 1 : 0));
    double v = std::trunc(x());
    if (!(v >= lo && v < hi)) {
      undefined = true;
      return whole(0);
    }
    return whole(isSigned ? static_cast<int64_t>(v)
                          : static_cast<int64_t>(static_cast<uint64_t>(v)));
  }
  std::optional<Element> floats(StringRef name);
  std::optional<Element> mathematics(StringRef name);
  std::optional<Element> integers(StringRef name);
  std::optional<Element> divisions(StringRef name);
  std::optional<Element> conversions(StringRef name);
};

double extreme(double x, double y, bool maximum, bool propagate) {
  if (std::isnan(x) || std::isnan(y)) {
    if (propagate || (std::isnan(x) && std::isnan(y)))
      return NAN;
    return std::isnan(x) ? y : x;
  }
  if (x == 0 && y == 0)
    return std::signbit(x) == maximum ? y : x;
  return (x < y) == maximum ? y : x;
}

std::optional<Element> Compute::floats(StringRef name) {
  if (name == "addf")
    return real(x() + y());
  if (name == "subf")
    return real(x() - y());
  if (name == "mulf")
    return real(x() * y());
  if (name == "divf")
    return real(x() / y());
  if (name == "remf")
    return real(std::fmod(x(), y()));
  if (name == "negf")
    return real(-x());
  if (name == "maximumf")
    return real(extreme(x(), y(), true, true));
  if (name == "minimumf")
    return real(extreme(x(), y(), false, true));
  if (name == "maxnumf")
    return real(extreme(x(), y(), true, false));
  if (name == "minnumf")
    return real(extreme(x(), y(), false, false));
  return std::nullopt;
}

std::optional<Element> Compute::mathematics(StringRef name) {
  using Fn = double (*)(double);
  static const std::pair<StringRef, Fn> functions[] = {{"exp", std::exp},
                                                       {"exp2", std::exp2},
                                                       {"expm1", std::expm1},
                                                       {"log", std::log},
                                                       {"log2", std::log2},
                                                       {"log1p", std::log1p},
                                                       {"sqrt", std::sqrt},
                                                       {"tanh", std::tanh},
                                                       {"erf", std::erf},
                                                       {"sin", std::sin},
                                                       {"cos", std::cos},
                                                       {"absf", std::fabs},
                                                       {"floor", std::floor},
                                                       {"ceil", std::ceil},
                                                       {"round", std::round},
                                                       {"trunc", std::trunc},
                                                       {"roundeven", std::nearbyint}};
  for (auto [known, fn] : functions)
    if (name == known)
      return real(fn(x()));
  if (name == "rsqrt")
    return real(1 / std::sqrt(x()));
  if (name == "powf")
    return real(std::pow(x(), y()));
  if (name == "copysign")
    return real(std::copysign(x(), y()));
  if (name == "absi")
    return whole(a() < 0 ? int64_t(0 - uint64_t(a())) : a());
  if (name == "fma") {
    if (to.isF32())
      return real(std::fma(float(x()), float(y()), float(in[2].real)));
    return real(std::fma(x(), y(), in[2].real));
  }
  return std::nullopt;
}

std::optional<Element> Compute::integers(StringRef name) {
  if (name == "addi")
    return whole(int64_t(uint64_t(a()) + uint64_t(b())));
  if (name == "subi")
    return whole(int64_t(uint64_t(a()) - uint64_t(b())));
  if (name == "muli")
    return whole(int64_t(uint64_t(a()) * uint64_t(b())));
  if (name == "andi")
    return whole(a() & b());
  if (name == "ori")
    return whole(a() | b());
  if (name == "xori")
    return whole(a() ^ b());
  if (name == "maxsi")
    return whole(std::max(a(), b()));
  if (name == "minsi")
    return whole(std::min(a(), b()));
  if (name == "maxui")
    return bits(a()) > bits(b()) ? in[0] : in[1];
  if (name == "minui")
    return bits(a()) < bits(b()) ? in[0] : in[1];
  if (name == "shli")
    return whole(shifts() ? int64_t(uint64_t(a()) << b()) : 0);
  if (name == "shrsi")
    return whole(shifts() ? a() >> b() : 0);
  if (name == "shrui")
    return whole(shifts() ? int64_t(bits(a()) >> b()) : 0);
  return std::nullopt;
}

std::optional<Element> Compute::divisions(StringRef name) {
  bool isSigned = name.contains("s");
  if (!llvm::is_contained(
          {"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"}, name))
    return std::nullopt;
  isSigned = name.ends_with("si");
  if (!divides(isSigned))
    return whole(0);
  if (name == "divsi")
    return whole(a() / b());
  if (name == "remsi")
    return whole(a() % b());
  if (name == "divui")
    return whole(int64_t(bits(a()) / bits(b())));
  if (name == "remui")
    return whole(int64_t(bits(a()) % bits(b())));
  if (name == "ceildivui")
    return whole(int64_t(bits(a()) / bits(b()) + (bits(a()) % bits(b()) != 0)));
  bool inexact = a() % b() != 0, negative = (a() < 0) != (b() < 0);
  if (name == "floordivsi")
    return whole(a() / b() - (inexact && negative));
  return whole(a() / b() + (inexact && !negative));
}

std::optional<Element> Compute::conversions(StringRef name) {
  if (name == "extf" || name == "truncf")
    return real(x());
  if (name == "sitofp")
    return real(from.isInteger(1) ? -double(a()) : double(a()));
  if (name == "uitofp")
    return real(double(bits(a())));
  if (name == "fptosi")
    return toWhole(true);
  if (name == "fptoui")
    return toWhole(false);
  if (name == "trunci" || name == "index_cast")
    return whole(from.isInteger(1) ? -a() : a());
  if (name == "extsi")
    return whole(from.isInteger(1) ? -a() : a());
  if (name == "extui" || name == "index_castui")
    return whole(int64_t(bits(a())));
  if (name == "bitcast") {
    std::byte raw[8] = {};
    storeElement(from, in[0], raw);
    return loadElement(to, raw);
  }
  return std::nullopt;
}

bool holds(arith::CmpFPredicate p, double x, double y) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(x) || std::isnan(y);
  switch (p) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return !unordered && x != y;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || x == y;
  case P::UGT:
    return unordered || x > y;
  case P::UGE:
    return unordered || x >= y;
  case P::ULT:
    return unordered || x < y;
  case P::ULE:
    return unordered || x <= y;
  case P::UNE:
    return unordered || x != y;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  return false;
}

} // namespace

std::optional<Element> computeElement(Operation *op, ArrayRef<Element> operands, bool &undefined) {
  auto element = [](Value v) { return getElementTypeOrSelf(v.getType()); };
  Type from = element(op->getOperand(0)), to = element(op->getResult(0));
  Compute c{operands, from, to, undefined};
  if (isa<arith::SelectOp>(op))
    return operands[0].whole ? operands[1] : operands[2];
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return Element{0, holds(compare.getPredicate(), c.x(), c.y())};
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto bits = [&](int64_t v) { return APInt(64, c.bits(v)).trunc(widthOf(from)); };
    return Element{0, arith::applyCmpPredicate(compare.getPredicate(), bits(c.a()), bits(c.b()))};
  }
  StringRef name = op->getName().stripDialect();
  if (op->getName().getDialectNamespace() == "math")
    return c.mathematics(name);
  for (auto family :
       {&Compute::floats, &Compute::integers, &Compute::divisions, &Compute::conversions})
    if (auto result = (c.*family)(name))
      return result;
  return std::nullopt;
}

} // namespace imbrex::tile
