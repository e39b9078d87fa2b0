// Matrix products: matmul with broadcast batches, gemm, matmul of quantized integers.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

namespace imbrex::opmeaning {
namespace {

/// A factor seen as a stack of matrices. A vector is a row on the left and a column on the right;
/// the axis it lacks is not in the result.
struct Factor {
  Tensor t;
  size_t innerSide; // which of row (0) and column (1) the sum runs over
  bool vector = false, transposed = false;

  size_t batches() const { return vector ? 0 : t.rank() - 2; }
  std::vector<Dim> batchDims() const {
    return {t.dims.begin(), t.dims.begin() + static_cast<ptrdiff_t>(batches())};
  }
  /// Size along rows (0) or columns (1) of the untransposed use.
  Dim size(size_t side) const { return t.dims[t.rank() - 2 + (transposed ? 1 - side : side)]; }
  Dim inner() const { return vector ? t.dims[0] : size(innerSide); }
  /// The element of row r and column c in the batch whose index is `batch`, aligned at the ends.
  Val read(Builder &b, Axes batch, const Ix &r, const Ix &c) const {
    if (vector)
      return t({innerSide == 0 ? r : c});
    std::vector<Ix> at;
    for (size_t k = 0; k < batches(); ++k)
      at.push_back(b.broadcastIndex(batch[batch.size() - batches() + k], t.dims[k]));
    at.push_back(transposed ? c : r);
    at.push_back(transposed ? r : c);
    return t(at);
  }
};

std::optional<Factor> factorOf(Builder &b, const Tensor &t, size_t innerSide, bool transposed) {
  if (!check(b, t.rank() >= 1, "a factor of a matrix product is a scalar") ||
      !check(b, t.rank() > 1 || !transposed, "a vector cannot be transposed"))
    return std::nullopt;
  return Factor{t, innerSide, t.rank() == 1, transposed};
}

std::string differ(const Tensor &x, const Tensor &y) {
  return "the inner dimensions of " + describe(x) + " and " + describe(y) + " differ";
}

/// The terms of a matrix product, so that what surrounds the sum may vary.
struct MatrixProduct {
  Builder &b;
  Factor x, y;
  Dim inner;
  std::vector<Dim> batch, dims;

  using Read = std::function<Val(const Factor &, Axes batch, const Ix &, const Ix &)>;
  /// The sum at the result's index i, accumulated in `acc`; `read` gives a factor's element in that
  /// type.
  Val sum(DType acc, Axes i, const Read &read) const {
    const Axes at = i.first(batch.size());
    size_t next = batch.size();
    const Ix row = x.vector ? Ix(0) : i[next++];
    const Ix column = y.vector ? Ix(0) : i[next];
    return b.reduce(Red::Sum, acc, {inner}, {},
                    [&](Axes k) { return read(x, at, row, k[0]) * read(y, at, k[0], column); });
  }
};

std::optional<MatrixProduct> productOf(Builder &b, const Attrs &a) {
  auto x = factorOf(b, *b.in(0), 1, a.i("trans_a") != 0);
  auto y = factorOf(b, *b.in(1), 0, a.i("trans_b") != 0);
  if (!x || !y)
    return std::nullopt;
  const Dim inner = x->inner();
  b.require(eq(inner, y->inner()), differ(x->t, y->t));
  MatrixProduct p{
      b, *x, *y, inner, broadcastDims(b, {x->batchDims(), y->batchDims()}, "the batches"), {}};
  p.dims = p.batch;
  if (!x->vector)
    p.dims.push_back(x->size(0));
  if (!y->vector)
    p.dims.push_back(y->size(1));
  return p;
}

Result<Program> matmul(Builder &b, const Attrs &a) {
  auto x = *b.in(0), y = *b.in(1);
  if (!checkNumeric(b, x) || !checkSameType(b, x, y))
    return b.finish({});
  auto p = productOf(b, a);
  if (!p)
    return b.finish({});
  const DType acc = accumulatorFor(x.type);
  auto z = defComputed(b, "y", x.type, p->dims, [&](Axes i) {
    return p->sum(acc, i, [&](const Factor &f, Axes batch, const Ix &r, const Ix &c) {
      return b.cast(f.read(b, batch, r, c), acc);
    });
  });
  return b.finish({z});
}

/// alpha * a * b + beta * c, for matrices; c broadcasts to the result.
Result<Program> gemm(Builder &b, const Attrs &a) {
  auto x = *b.in(0), y = *b.in(1);
  auto c = b.in(2);
  if (!checkNumeric(b, x) || !checkSameType(b, x, y) || (c && !checkSameType(b, x, *c)) ||
      !check(b, x.rank() == 2 && y.rank() == 2,
             describe(x) + " and " + describe(y) + " are not matrices"))
    return b.finish({});
  auto p = productOf(b, a);
  if (!p || (c && !checkBroadcastsTo(b, *c, p->dims, "the addend")))
    return b.finish({});
  const DType acc = accumulatorFor(x.type);
  const double alpha = a.r("alpha"), beta = a.r("beta");
  auto scaled = [&](double by, const Val &v) { return by == 1 ? v : b.constant(by, acc) * v; };
  auto z = defComputed(b, "y", x.type, p->dims, [&](Axes i) {
    const Val sum = p->sum(acc, i, [&](const Factor &f, Axes batch, const Ix &r, const Ix &k) {
      return b.cast(f.read(b, batch, r, k), acc);
    });
    const Val v = scaled(alpha, sum);
    return c && beta != 0 ? v + scaled(beta, b.cast(readBroadcast(b, *c, i), acc)) : v;
  });
  return b.finish({z});
}

/// A zero point: a scalar, or one for each row of the left factor or column of the right one.
bool checkZeroPoint(Builder &b, const Factor &f, const std::optional<Tensor> &zero, size_t side) {
  if (!zero)
    return true;
  const std::string why = "the zero point " + describe(*zero) + " does not fit " + describe(f.t);
  const bool one = zero->rank() == 0 || zero->dims[0].isConstant(1);
  if (!checkSameType(b, f.t, *zero) || !check(b, zero->rank() <= 1 && (one || !f.vector), why))
    return false;
  if (!one)
    b.requireBroadcast(zero->dims[0], f.size(side), why);
  return true;
}

/// (a - a's zero point) * (b - b's zero point) in i32.
Result<Program> matmulInteger(Builder &b, const Attrs &a) {
  auto x = *b.in(0), y = *b.in(1);
  auto zeroX = b.in(2), zeroY = b.in(3);
  auto small = [](const Tensor &t) { return t.type == DType::I8 || t.type == DType::U8; };
  if (!check(b, small(x) && small(y), describe(x) + " and " + describe(y) + " are not i8 or u8"))
    return b.finish({});
  auto p = productOf(b, a);
  if (!p || !checkZeroPoint(b, p->x, zeroX, 0) || !checkZeroPoint(b, p->y, zeroY, 1))
    return b.finish({});
  auto shifted = [&](const Val &v, const std::optional<Tensor> &zero, const Ix &at) {
    const Val wide = b.cast(v, DType::I32);
    if (!zero)
      return wide;
    const std::vector<Ix> place(zero->rank(),
                                b.broadcastIndex(at, zero->rank() ? zero->dims[0] : 1));
    return wide - b.cast((*zero)(place), DType::I32);
  };
  auto z = b.def("y", DType::I32, p->dims, [&](Axes i) {
    return p->sum(DType::I32, i, [&](const Factor &f, Axes batch, const Ix &r, const Ix &c) {
      const bool left = f.innerSide == 1;
      return shifted(f.read(b, batch, r, c), left ? zeroX : zeroY, left ? r : c);
    });
  });
  return b.finish({z});
}

} // namespace

void registerMatMul(std::vector<Operator> &ops) {
  const std::vector<AttrDecl> sides = {
      intAttr("trans_a", 0, "1: the last two dimensions of operand 1 are swapped"),
      intAttr("trans_b", 0, "1: the last two dimensions of operand 2 are swapped")};
  auto scaled = sides;
  scaled.push_back(realAttr("alpha", 1, "scales the product"));
  scaled.push_back(realAttr("beta", 1, "scales the addend"));
  ops.push_back(
      {.name = "matmul",
       .doc = "The product of matrices; batches broadcast, vectors are a row or a column.",
       .minOperands = 2,
       .maxOperands = 2,
       .attrs = sides,
       .meaning = matmul,
       .contract = FloatContract::Reassociate});
  ops.push_back({.name = "gemm",
                 .doc = "alpha * a * b + beta * c.",
                 .minOperands = 2,
                 .maxOperands = 3,
                 .attrs = scaled,
                 .meaning = gemm,
                 .contract = FloatContract::Reassociate});
  ops.push_back(
      {.name = "matmul_integer",
       .doc = "The i32 product of quantized matrices; operands a, b and their zero points.",
       .minOperands = 2,
       .maxOperands = 4,
       .attrs = sides,
       .meaning = matmulInteger,
       .contract = FloatContract::Exact});
}

} // namespace imbrex::opmeaning
