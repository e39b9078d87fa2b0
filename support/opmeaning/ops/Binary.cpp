// Functions of several operands that broadcast against each other: c[i…] = f(a[bcast i…], b[bcast
// i…]).
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {
namespace {

bool checkAccepts(Builder &b, FnId fn, const Tensor &t) {
  return check(b, accepts(info(fn).operands, t.type),
               std::string(info(fn).name) + " does not take " + describe(t));
}

/// All operands of one type that `fn` takes; fails b otherwise.
std::optional<std::vector<Tensor>> sameTyped(Builder &b, FnId fn) {
  std::vector<Tensor> ts;
  for (size_t k = 0; k < b.operandCount(); ++k) {
    ts.push_back(*b.in(k));
    if (!checkAccepts(b, fn, ts[k]) || !checkSameType(b, ts[0], ts[k]))
      return std::nullopt;
  }
  return ts;
}

std::vector<Dim> broadcastOf(Builder &b, const std::vector<Tensor> &ts) {
  std::vector<std::vector<Dim>> shapes;
  for (const Tensor &t : ts)
    shapes.push_back(t.dims);
  return broadcastDims(b, shapes, "the operands");
}

/// Swap: operands reversed, so that greater is less.
enum class Order : uint8_t { Straight, Swap };

Result<Program> apply(Builder &b, FnId fn, Order order = Order::Straight) {
  auto ts = sameTyped(b, fn);
  if (!ts)
    return b.finish({});
  auto type = info(fn).result == ResultRule::Bool ? DType::Bool : ts->front().type;
  const Tensor &first = (*ts)[order == Order::Swap ? 1 : 0];
  const Tensor &second = (*ts)[order == Order::Swap ? 0 : 1];
  auto y = b.def("y", type, broadcastOf(b, *ts), [&](Axes i) {
    return b.f(fn, {readBroadcast(b, first, i), readBroadcast(b, second, i)});
  });
  return b.finish({y});
}

template <FnId fn, Order order = Order::Straight>
Result<Program> binary(Builder &b, const Attrs &) {
  return apply(b, fn, order);
}

Result<Program> modulo(Builder &b, const Attrs &a) {
  return apply(b, a.i("fmod") != 0 ? FnId::Fmod : FnId::Mod);
}

Result<Program> shift(Builder &b, const Attrs &a) {
  const auto &way = a.s("direction");
  if (way != "left" && way != "right")
    return failed(b, "direction is \"" + way + "\", neither left nor right");
  return apply(b, way == "left" ? FnId::ShiftLeft : FnId::ShiftRight);
}

/// f over any number of operands, from left to right.
template <FnId fn> Result<Program> variadic(Builder &b, const Attrs &) {
  auto ts = sameTyped(b, fn);
  if (!ts)
    return b.finish({});
  auto y = b.def("y", ts->front().type, broadcastOf(b, *ts), [&](Axes i) {
    Val v = readBroadcast(b, ts->front(), i);
    for (size_t k = 1; k < ts->size(); ++k)
      v = b.f(fn, {v, readBroadcast(b, (*ts)[k], i)});
    return v;
  });
  return b.finish({y});
}

/// The sum of all operands, divided by their number where `mean`; 16-bit floats add up in f32.
enum class Average : uint8_t { Sum, Mean };
template <Average average> Result<Program> sumOf(Builder &b, const Attrs &) {
  auto ts = sameTyped(b, FnId::Add);
  if (!ts || (average == Average::Mean && !checkFloat(b, ts->front())))
    return b.finish({});
  const DType type = ts->front().type, acc = accumulatorFor(type);
  auto y = defComputed(b, "y", type, broadcastOf(b, *ts), [&](Axes i) {
    Val v = b.cast(readBroadcast(b, ts->front(), i), acc);
    for (size_t k = 1; k < ts->size(); ++k)
      v = v + b.cast(readBroadcast(b, (*ts)[k], i), acc);
    return average == Average::Mean ? v / b.constant(static_cast<double>(ts->size()), acc) : v;
  });
  return b.finish({y});
}

/// The type in which base ** exponent is computed.
DType powType(DType base, DType exponent) {
  if (isFloat(base) && isFloat(exponent))
    return base == DType::F64 || exponent == DType::F64 ? DType::F64 : DType::F32;
  if (isFloat(base))
    return accumulatorFor(base);
  if (isFloat(exponent))
    return DType::F64;
  return base == exponent ? base : DType::I64; // wraps alike modulo any narrower width
}

Result<Program> power(Builder &b, const Attrs &) {
  auto x = *b.in(0), e = *b.in(1);
  if (!checkNumeric(b, x) || !checkNumeric(b, e))
    return b.finish({});
  const DType t = powType(x.type, e.type);
  auto y = defComputed(b, "y", x.type, broadcastOf(b, {x, e}), [&](Axes i) {
    return b.f(FnId::Pow, {b.cast(readBroadcast(b, x, i), t), b.cast(readBroadcast(b, e, i), t)});
  });
  return b.finish({y});
}

Result<Program> prelu(Builder &b, const Attrs &) {
  auto x = *b.in(0), slope = *b.in(1);
  if (!checkNumeric(b, x) || !checkSameType(b, x, slope) ||
      !checkBroadcastsTo(b, slope, x.dims, "the slope"))
    return b.finish({});
  auto y = b.def("y", x.type, x.dims, [&](Axes i) {
    const Val v = x(list(i));
    return b.select(
        b.holds(b.f(FnId::Lt, {v, b.constant(0, x.type)})),
        [&] { return readBroadcast(b, slope, i) * v; }, [&] { return v; });
  });
  return b.finish({y});
}

Result<Program> where(Builder &b, const Attrs &) {
  auto c = *b.in(0), x = *b.in(1), y = *b.in(2);
  if (!check(b, c.type == DType::Bool, "the condition is " + describe(c) + ", not bool") ||
      !checkSameType(b, x, y))
    return b.finish({});
  auto z = b.def("y", x.type, broadcastOf(b, {c, x, y}), [&](Axes i) {
    return b.select(
        b.holds(readBroadcast(b, c, i)), [&] { return readBroadcast(b, x, i); },
        [&] { return readBroadcast(b, y, i); });
  });
  return b.finish({z});
}

bool checkBound(Builder &b, const Tensor &x, const std::optional<Tensor> &bound,
                std::string_view name) {
  return !bound || (checkSameType(b, x, *bound) && checkScalar(b, *bound, name));
}

Result<Program> clip(Builder &b, const Attrs &) {
  auto x = *b.in(0);
  auto lo = b.in(1), hi = b.in(2);
  if (!checkNumeric(b, x) || !checkBound(b, x, lo, "minimum") || !checkBound(b, x, hi, "maximum"))
    return b.finish({});
  auto y = b.def("y", x.type, x.dims, [&](Axes i) {
    Val v = x(list(i));
    if (lo)
      v = b.f(FnId::Max, {v, scalarOf(*lo)});
    if (hi)
      v = b.f(FnId::Min, {v, scalarOf(*hi)});
    return v;
  });
  return b.finish({y});
}

struct Row {
  std::string_view name, doc;
  Meaning meaning;
};
constexpr Row pairs[] = {
    {"add", "a + b; integers wrap.", binary<FnId::Add>},
    {"sub", "a - b; integers wrap.", binary<FnId::Sub>},
    {"mul", "a * b; integers wrap.", binary<FnId::Mul>},
    {"div", "a / b; integers truncate, and a / 0 is undefined.", binary<FnId::Div>},
    {"pow", "a to the b, in a's type; b may have another.", power},
    {"and", "a and b.", binary<FnId::And>},
    {"or", "a or b.", binary<FnId::Or>},
    {"xor", "a differs from b.", binary<FnId::Xor>},
    {"bitwise_and", "Bits set in both.", binary<FnId::BitAnd>},
    {"bitwise_or", "Bits set in either.", binary<FnId::BitOr>},
    {"bitwise_xor", "Bits set in exactly one.", binary<FnId::BitXor>},
    {"equal", "a = b.", binary<FnId::Eq>},
    {"less", "a < b.", binary<FnId::Lt>},
    {"less_equal", "a <= b.", binary<FnId::Le>},
    {"greater", "a > b.", binary<FnId::Lt, Order::Swap>},
    {"greater_equal", "a >= b.", binary<FnId::Le, Order::Swap>},
    {"prelu", "x where x >= 0, else slope * x; the slope broadcasts to x.", prelu},
};
constexpr Row several[] = {
    {"max", "The largest operand; NaN wins.", variadic<FnId::Max>},
    {"min", "The smallest operand; NaN wins.", variadic<FnId::Min>},
    {"sum", "The sum of all operands.", sumOf<Average::Sum>},
    {"mean", "The mean of all operands.", sumOf<Average::Mean>},
};

} // namespace

void registerBinary(std::vector<Operator> &ops) {
  auto add = [&](const Row &row, uint8_t least, uint8_t most, std::vector<AttrDecl> attrs = {}) {
    ops.push_back({.name = row.name,
                   .doc = row.doc,
                   .minOperands = least,
                   .maxOperands = most,
                   .attrs = std::move(attrs),
                   .meaning = row.meaning});
  };
  for (const Row &row : pairs)
    add(row, 2, 2);
  for (const Row &row : several)
    add(row, 1, 255);
  add({"mod", "The remainder; undefined for an integer b = 0.", modulo}, 2, 2,
      {intAttr("fmod", 0, "0: the sign of b; 1: the sign of a")});
  add({"shift", "a shifted by b bits; by the width or more gives 0.", shift}, 2, 2,
      {requiredAttr("direction", AttrKind::String, "left or right")});
  add({"where", "x where the condition holds, else y.", where}, 3, 3);
  add({"clip", "x, at least the minimum, then at most the maximum.", clip}, 1, 3);
}

} // namespace imbrex::opmeaning
