// Attention and rotary embedding, out of matrix products and softmax.
#include "compiler/frontend/onnx/Converters.h"

#include <cmath>
#include <limits>

namespace imbrex::frontend {
namespace {

/// Scaled dot-product attention over [batch, heads, positions, size].
class Attention {
public:
  explicit Attention(NodeContext &n) : n(n) {}
  void run();

private:
  Value heads(Value v, int64_t count);
  void readOperands();
  Value grouped(Value v, Value perGroup);
  Value scores();
  Value lowerTriangle(Value s);
  Value paddedMask(Value mask, const DimExpr &length, double fill);
  Value masked(Value s);
  Value minusInfinity() { return n.scalar(-std::numeric_limits<double>::infinity(), n.dtype(q)); }
  Value half(Value v, double factor) { return n.apply("mul", {v, n.scalar(factor, n.dtype(v))}); }

  NodeContext &n;
  bool flat = false; // operands [batch, positions, heads * size]
  Value q, k, v;
  DimExpr queryHeads = 0, keyHeads = 0;
};

/// [batch, positions, heads * size] to [batch, heads, positions, size].
Value Attention::heads(Value v, int64_t count) {
  const auto &d = n.dims(v);
  if (count <= 0 || d.size() != 3)
    return n.invalid("its operands are not of rank 3 with a number of heads"), Value{};
  if (auto width = d[2].constant(); width && *width % count != 0)
    return n.unsupported("the width " + d[2].str() + " does not divide into " +
                         std::to_string(count) + " heads"),
           Value{};
  return n.transpose(n.reshapeTo(v, {d[0], d[1], count, floorDiv(d[2], count)}), {0, 2, 1, 3});
}

void Attention::readOperands() {
  q = n.require(0), k = n.require(1), v = n.require(2);
  flat = n.rank(q) == 3;
  if (flat) {
    const int64_t queries = n.i("q_num_heads", 0), keys = n.i("kv_num_heads", 0);
    q = heads(q, queries), k = heads(k, keys), v = heads(v, keys);
  }
  if (n.failed() || n.rank(q) != 4 || n.rank(k) != 4 || n.rank(v) != 4)
    return n.invalid("its operands are not of rank 3 or 4");
  if (n.has(4))
    k = n.concat({n.in(4), k}, 2);
  if (n.has(5))
    v = n.concat({n.in(5), v}, 2);
  queryHeads = n.dims(q)[1], keyHeads = n.dims(k)[1];
  auto a = queryHeads.constant(), b = keyHeads.constant();
  if (b == 0 || (a && b && *a % *b != 0))
    return n.unsupported("its " + queryHeads.str() + " query heads do not share " + keyHeads.str() +
                         " key heads evenly");
}

/// Query heads that share a key head become a dimension of their own, against which keys broadcast.
Value Attention::grouped(Value a, Value b) {
  if (queryHeads == keyHeads)
    return n.apply("matmul", {a, b});
  if (n.failed())
    return {};
  auto d = n.dims(a);
  DimExpr shared = floorDiv(queryHeads, max(keyHeads, 1));
  Value split = n.reshapeTo(a, {d[0], keyHeads, shared, d[2], d[3]});
  Value y = n.apply("matmul", {split, n.unsqueeze(b, {2})});
  auto e = n.dims(y);
  return e.size() == 5 ? n.reshapeTo(y, {e[0], queryHeads, e[3], e[4]}) : Value{};
}

/// scale, or 1 / sqrt(size), on both sides: neither product overflows in 16 bits.
Value Attention::scores() {
  auto size = n.dims(q)[3].constant();
  auto both = [&](Value a, Value b) { return grouped(a, n.transpose(b, {0, 1, 3, 2})); };
  if (size || n.hasAttr("scale")) {
    double root = std::sqrt(n.hasAttr("scale") ? n.f("scale", 1) : 1 / std::sqrt(double(*size)));
    return both(half(q, root), half(k, root));
  }
  Value root = n.apply("sqrt", {n.apply("sqrt", {n.cast(n.size(n.dims(q)[3]), DType::F32)})});
  root = n.cast(n.apply("recip", {root}), n.dtype(q));
  return both(n.apply("mul", {q, root}), n.apply("mul", {k, root}));
}

/// True where key position <= query position + those of the past.
Value Attention::lowerTriangle(Value s) {
  Value past = n.has(4) ? n.size(n.dims(n.in(4))[2]) : n.scalar(0, DType::I64);
  Value all = n.filled(1, DType::Bool, {n.dims(s)[2], n.dims(s)[3]});
  return n.apply("trilu", {all, past}, attrs({{"upper", int64_t(0)}}));
}

/// A mask that is shorter than the keys hides the rest.
Value Attention::paddedMask(Value mask, const DimExpr &length, double fill) {
  const DimExpr have = n.dims(mask).back();
  if (have == length ||
      (have.constant() && length.constant() && *have.constant() >= *length.constant()))
    return mask;
  std::vector<DimExpr> pads(size_t(2 * n.rank(mask)), 0);
  pads.back() = max(length - have, 0);
  return n.apply("pad", {mask, n.sizes(pads), n.scalar(fill, n.dtype(mask))});
}

Value Attention::masked(Value s) {
  if (n.has(3) && n.rank(n.in(3)) > 0) {
    Value mask = n.in(3);
    if (n.dtype(mask) == DType::Bool)
      s = n.apply("where", {paddedMask(mask, n.dims(s)[3], 0), s, minusInfinity()});
    else
      s = n.apply("add",
                  {s, paddedMask(mask, n.dims(s)[3], -std::numeric_limits<double>::infinity())});
  }
  if (n.i("is_causal", 0) != 0)
    s = n.apply("where", {lowerTriangle(s), s, minusInfinity()});
  if (n.has(6)) { // keys behind a sequence's length are padding
    Value limit = n.reshape(n.cast(n.in(6), DType::I64), {-1, 1, 1, 1});
    s = n.apply("where", {n.apply("less", {n.places(n.dims(s)[3]), limit}), s, minusInfinity()});
  }
  return s;
}

void Attention::run() {
  readOperands();
  if (n.failed())
    return;
  int64_t mode = n.i("qk_matmul_output_mode", 0);
  Value raw = scores(), s = raw;
  if (n.failed())
    return;
  if (double cap = n.f("softcap", 0); cap > 0)
    s = half(n.apply("tanh", {half(s, 1 / cap)}), cap);
  Value capped = s;
  s = masked(s);
  Value biased = s;
  DType type = n.dtype(q);
  if (n.i("softmax_precision", 0) != 0)
    s = n.cast(s, n.type("softmax_precision", type));
  Value weights = n.cast(n.apply("softmax", {s}, attrs({{"axis", int64_t(-1)}})), type);
  Value y = grouped(weights, v);
  if (n.failed())
    return;
  if (flat) {
    const auto d = n.dims(y); // [batch, heads, positions, size]
    y = n.reshapeTo(n.transpose(y, {0, 2, 1, 3}), {d[0], d[2], d[1] * d[3]});
  }
  n.results({y, k, v, mode == 0 ? raw : mode == 1 ? capped : mode == 2 ? biased : weights});
}

void attention(NodeContext &n) { Attention(n).run(); }

/// Pairs of elements turned by an angle that depends on the position.
void rotaryEmbedding(NodeContext &n) {
  Value x = n.require(0), cosines = n.require(1), sines = n.require(2);
  bool flat = n.rank(x) == 3;
  auto shape = n.dims(x);
  if (flat) {
    auto width = shape[2].constant();
    int64_t count = n.i("num_heads", 0);
    if (count <= 0 || (width && *width % count != 0))
      return n.unsupported("its width does not divide into heads");
    x = n.reshapeTo(x, {shape[0], shape[1], count, floorDiv(shape[2], count)});
  } else {
    x = n.transpose(x, {0, 2, 1, 3});
  }
  if (n.failed() || n.rank(x) != 4)
    return n.invalid("its operand is not of rank 3 or 4");
  const DimExpr size = n.dims(x)[3];
  const int64_t given = n.i("rotary_embedding_dim", 0);
  const DimExpr turned = given == 0 ? size : DimExpr(given), pairs = floorDiv(turned, 2);
  if (n.has(3)) {
    cosines = n.apply("gather", {cosines, n.in(3)});
    sines = n.apply("gather", {sines, n.in(3)});
  }
  cosines = n.unsqueeze(cosines, {2}), sines = n.unsqueeze(sines, {2});
  bool interleaved = n.i("interleaved", 0) != 0;
  auto part = [&](int64_t which) {
    if (!interleaved)
      return n.slice(x, 3, pairs * which, pairs * (which + 1));
    return n.apply(
        "slice", {x, n.intVector({which}), n.sizes({turned}), n.intVector({3}), n.intVector({2})});
  };
  auto mul = [&](Value a, Value b) { return n.apply("mul", {a, b}); };
  Value a = part(0), b = part(1);
  Value real = n.apply("sub", {mul(cosines, a), mul(sines, b)});
  Value imaginary = n.apply("add", {mul(sines, a), mul(cosines, b)});
  Value y;
  if (interleaved) {
    y = n.concat({n.unsqueeze(real, {4}), n.unsqueeze(imaginary, {4})}, 4);
    y = n.reshape(y, {0, 0, 0, -1});
  } else {
    y = n.concat({real, imaginary}, 3);
  }
  if (turned != size)
    y = n.concat({y, n.slice(x, 3, turned, size)}, 3);
  n.result(flat ? n.reshapeTo(y, shape) : n.transpose(y, {0, 2, 1, 3}));
}

constexpr ConverterRow kRows[] = {
    {"Attention", 23, attention},
    {"RotaryEmbedding", 23, rotaryEmbedding},
};

} // namespace

ConverterRows attentionRows() { return kRows; }

} // namespace imbrex::frontend
