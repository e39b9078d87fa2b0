// The values of a traced kernel: sizes, indices, conditions and tiles. They stand for what the
// kernel computes when it runs; operators on them record operations, with the place in the source.
//
//   Tile t = exp(x.load(p) - 1.0f);            reads like NumPy on tiles
//   if (i < n) …                               does not compile: a Condition is no bool; see when()
//
// A value belongs to the kernel that is being traced and means nothing outside.
#pragma once

#include "support/DType.h"
#include "support/dim/DimExpr.h"

#include <source_location>
#include <vector>

namespace imbrex::edsl {

using At = std::source_location;
using Shape = std::vector<int64_t>;
struct Tracer;

/// A value of the kernel: an opaque handle of the trace.
class Value {
public:
  void *handle() const { return value; }

protected:
  Value() = default;
  Value(Tracer *tracer, void *value) : tracer(tracer), value(value) {}
  Tracer *tracer = nullptr;
  void *value = nullptr;
  friend struct Tracer;
};

/// An extent, known at a launch: an expression over the kernel's sizes.
class Size {
public:
  Size(int64_t constant) : expr(constant) {} // NOLINT: implicit on purpose
  Size(DimExpr expr) : expr(std::move(expr)) {}
  DimExpr expr;
  friend Size operator+(const Size &a, const Size &b) { return a.expr + b.expr; }
  friend Size operator-(const Size &a, const Size &b) { return a.expr - b.expr; }
  friend Size operator*(const Size &a, const Size &b) { return a.expr * b.expr; }
};

/// The tiles of `tile` elements that cover `extent`.
inline Size tiles(const Size &extent, int64_t tile) { return ceilDiv(extent.expr, DimExpr(tile)); }

/// An integer of the running kernel: a coordinate or what is computed from it. 64 bits; what could
/// wrap is refused when the kernel is verified.
class Index : public Value {
public:
  Index(Tracer *tracer, void *value) : Value(tracer, value) {}
};

/// A truth value of the running kernel. It decides nothing while the kernel is traced.
class Condition : public Value {
public:
  Condition(Tracer *tracer, void *value) : Value(tracer, value) {}
  explicit operator bool() const = delete;
};

/// An operand of index arithmetic: an index, a size or a number, and where it was written.
struct IndexOperand {
  IndexOperand(const Index &index, At at = At::current()) : index(index), at(at) {}
  IndexOperand(const Size &size, At at = At::current()) : size(size), at(at) {}
  template <std::integral I>
  IndexOperand(I number, At at = At::current()) : size(static_cast<int64_t>(number)), at(at) {}
  std::optional<Index> index;
  std::optional<Size> size;
  At at;
};

Index operator+(IndexOperand a, const Index &b);
Index operator+(const Index &a, IndexOperand b);
Index operator+(const Index &a, const Index &b);
Index operator-(IndexOperand a, const Index &b);
Index operator-(const Index &a, IndexOperand b);
Index operator-(const Index &a, const Index &b);
Index operator*(const Index &a, IndexOperand b);
/// Of numbers that are not negative, by positive ones.
Index operator/(const Index &a, IndexOperand b);
Index operator%(const Index &a, IndexOperand b);
Index minimum(const Index &a, IndexOperand b);
Index maximum(const Index &a, IndexOperand b);
Condition operator<(const Index &a, IndexOperand b);
Condition operator<=(const Index &a, IndexOperand b);
Condition operator>=(const Index &a, IndexOperand b);
Condition operator==(const Index &a, IndexOperand b);

/// A tile: a value of static shape. Arithmetic is element by element; shapes broadcast as in NumPy.
class Tile : public Value {
public:
  Tile(Tracer *tracer, void *value, DType type, Shape shape)
      : Value(tracer, value), elementType(type), extents(std::move(shape)) {}
  DType type() const { return elementType; }
  const Shape &shape() const { return extents; }

private:
  DType elementType;
  Shape extents;
};

/// An operand of tile arithmetic: a tile, or a number that takes the other side's type.
struct TileOperand {
  TileOperand(const Tile &tile, At at = At::current()) : tile(tile), at(at) {}
  template <class N>
    requires std::is_arithmetic_v<N>
  TileOperand(N number, At at = At::current()) : number(static_cast<double>(number)), at(at) {}
  std::optional<Tile> tile;
  double number = 0;
  At at;
};

// At least one side of these is a tile.
Tile operator+(TileOperand a, TileOperand b);
Tile operator-(TileOperand a, TileOperand b);
Tile operator*(TileOperand a, TileOperand b);
Tile operator/(TileOperand a, TileOperand b);
Tile operator-(const Tile &a);
Tile maximum(TileOperand a, TileOperand b); // NaN when either is
Tile minimum(TileOperand a, TileOperand b);
Tile fma(TileOperand a, TileOperand b, const Tile &c); // a times b + c, of floats, rounded once
Tile less(TileOperand a, TileOperand b);               // tiles of Bool
Tile lessEqual(TileOperand a, TileOperand b);
Tile equal(TileOperand a, TileOperand b);
// Of integers. A shift by the type's width or more has no meaning; >> of a signed type keeps the
// sign.
Tile operator&(TileOperand a, TileOperand b);
Tile operator|(TileOperand a, TileOperand b);
Tile operator<<(TileOperand a, TileOperand b);
Tile operator>>(TileOperand a, TileOperand b);
Tile select(const Tile &condition, TileOperand yes, TileOperand no, At at = At::current());

Tile exp(const Tile &x, At at = At::current());
Tile log(const Tile &x, At at = At::current());
Tile sqrt(const Tile &x, At at = At::current());
Tile rsqrt(const Tile &x, At at = At::current());
Tile tanh(const Tile &x, At at = At::current());
Tile erf(const Tile &x, At at = At::current());
Tile abs(const Tile &x, At at = At::current());
Tile roundEven(const Tile &x, At at = At::current()); // halves to the even neighbour

/// To another element type: floats round to nearest even, floats to integers truncate (a value that
/// the type does not hold has no meaning), unsigned integers grow by zeros.
Tile cast(const Tile &x, DType type, At at = At::current());

enum class Keep { No, Yes }; // whether a reduced axis stays, with extent 1
Tile sum(const Tile &x, int64_t axis, Keep keep = Keep::No, At at = At::current());
Tile maximumOf(const Tile &x, int64_t axis, Keep keep = Keep::No, At at = At::current());
Tile minimumOf(const Tile &x, int64_t axis, Keep keep = Keep::No, At at = At::current());
Tile scanSum(const Tile &x, int64_t axis, At at = At::current());

/// accumulator + a times b: [m, k] and [k, n] into [m, n], kept in the accumulator's type. Bytes,
/// of either sign on each side, go into I32.
Tile mma(const Tile &a, const Tile &b, const Tile &accumulator, At at = At::current());

Tile broadcast(const Tile &x, const Shape &shape, At at = At::current());
Tile reshape(const Tile &x, const Shape &shape, At at = At::current());
Tile transpose(const Tile &x, const std::vector<int64_t> &order, At at = At::current());
Tile slice(const Tile &x, const std::vector<int64_t> &from, const Shape &shape,
           At at = At::current());
Tile concat(const std::vector<Tile> &parts, int64_t axis, At at = At::current());

} // namespace imbrex::edsl
