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
  int64_t queryHeads = 0, keyHeads = 0;
};

/// [batch, positions, heads * size] to [batch, heads, positions, size].
Value Attention::heads(Value v, int64_t count) {
  const auto &d = n.dims(v);
  if (count <= 0 || d.size() != 3)
    return n.invalid("its operands are not of rank 3 with a number of heads"), Value{};
  auto width = d[2].constant();
  if (!width || *width % count != 0)
    return n.unsupported("the width " + d[2].str() + " does not divide into " +
                         std::to_string(count) + " heads"),
           Value{};
  return n.transpose(n.reshape(v, {0, 0, count, *width / count}), {0, 2, 1, 3});
}

void Attention::readOperands() {
  q = n.require(0), k = n.require(1), v = n.require(2);
  flat = n.rank(q) == 3;
  if (flat) {
    queryHeads = n.i("q_num_heads", 0), keyHeads = n.i("kv_num_heads", 0);
    q = heads(q, queryHeads), k = heads(k, keyHeads), v = heads(v, keyHeads);
  }
  if (n.failed() || n.rank(q) != 4 || n.rank(k) != 4 || n.rank(v) != 4)
    return n.invalid("its operands are not of rank 3 or 4");
  if (n.has(4))
    k = n.concat({n.in(4), k}, 2);
  if (n.has(5))
    v = n.concat({n.in(5), v}, 2);
  auto a = n.dims(q)[1].constant(), b = n.dims(k)[1].constant();
  if (!a || !b || *b == 0 || *a % *b != 0)
    return n.unsupported("its " + n.dims(q)[1].str() + " query heads do not share " +
                         n.dims(k)[1].str() + " key heads evenly");
  queryHeads = *a, keyHeads = *b;
}

/// Query heads that share a key head become a dimension of their own, against which keys broadcast.
Value Attention::grouped(Value a, Value b) {
  if (queryHeads == keyHeads)
    return n.apply("matmul", {a, b});
  auto d = n.dims(a);
  Value split = n.reshapeTo(a, {d[0], keyHeads, queryHeads / keyHeads, d[2], d[3]});
  Value y = n.apply("matmul", {split, n.unsqueeze(b, {2})});
  auto e = n.dims(y);
  return e.size() == 5 ? n.reshapeTo(y, {e[0], queryHeads, e[3], e[4]}) : Value{};
}

Value Attention::scores() {
  auto size = n.dims(q)[3].constant();
  if (!size && !n.hasAttr("scale"))
    return n.unsupported("the size of its heads is not fixed"), Value{};
  double scale = n.hasAttr("scale") ? n.f("scale", 1) : 1 / std::sqrt(double(*size));
  double root = std::sqrt(scale); // on both sides: neither product overflows in 16 bits
  return grouped(half(q, root), n.transpose(half(k, root), {0, 1, 3, 2}));
}

/// True where key position <= query position + those of the past.
Value Attention::lowerTriangle(Value s) {
  Value past = n.intVector({0});
  if (n.has(4)) {
    auto length = n.dims(n.in(4))[2].constant();
    past = length
               ? n.intVector({*length})
               : n.apply("shape", {n.in(4)}, attrs({{"start", int64_t(2)}, {"end", int64_t(3)}}));
  }
  auto rows = n.dims(s)[2].constant(), columns = n.dims(s)[3].constant();
  Value all;
  if (rows && columns) {
    HostTensor ones(DType::Bool, {*rows, *columns});
    for (auto &b : ones.mutableBytes())
      b = std::byte{1};
    all = n.constant(std::move(ones));
  } else {
    Value odd = n.apply("is_nan", {s}); // true or not, in the scores' shape
    all = n.apply("or", {odd, n.apply("logical_not", {odd})});
  }
  return n.apply("trilu", {all, n.reshape(past, {})}, attrs({{"upper", int64_t(0)}}));
}

/// A mask that is shorter than the keys hides the rest.
Value Attention::paddedMask(Value mask, const DimExpr &length, double fill) {
  auto have = n.dims(mask).back().constant(), want = length.constant();
  if (!have || !want || *have >= *want)
    return mask;
  std::vector<int64_t> pads(size_t(2 * n.rank(mask)), 0);
  pads.back() = *want - *have;
  return n.apply("pad", {mask, n.intVector(pads), n.scalar(fill, n.dtype(mask))});
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
    auto length = n.dims(s)[3].constant();
    if (!length)
      return n.unsupported("the number of its keys is not fixed"), Value{};
    std::vector<int64_t> places;
    for (int64_t j = 0; j < *length; ++j)
      places.push_back(j);
    Value limit = n.reshape(n.cast(n.in(6), DType::I64), {-1, 1, 1, 1});
    s = n.apply("where", {n.apply("less", {n.intVector(places), limit}), s, minusInfinity()});
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
    auto size = n.dims(y)[3].constant();
    if (!size)
      return n.unsupported("the size of its heads is not fixed");
    y = n.reshape(n.transpose(y, {0, 2, 1, 3}), {0, 0, queryHeads * *size});
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
    if (!width || count <= 0 || *width % count != 0)
      return n.unsupported("its width does not divide into heads");
    x = n.reshape(x, {0, 0, count, *width / count});
  } else {
    x = n.transpose(x, {0, 2, 1, 3});
  }
  if (n.failed() || n.rank(x) != 4)
    return n.invalid("its operand is not of rank 3 or 4");
  auto size = n.dims(x)[3].constant();
  if (!size)
    return n.unsupported("the size of its heads is not fixed");
  int64_t turned = n.i("rotary_embedding_dim", 0);
  turned = turned == 0 ? *size : turned;
  if (n.has(3)) {
    cosines = n.apply("gather", {cosines, n.in(3)});
    sines = n.apply("gather", {sines, n.in(3)});
  }
  cosines = n.unsqueeze(cosines, {2}), sines = n.unsqueeze(sines, {2});
  bool interleaved = n.i("interleaved", 0) != 0;
  auto part = [&](int64_t which) {
    if (!interleaved)
      return n.slice(x, 3, which * (turned / 2), (which + 1) * (turned / 2));
    return n.apply("slice", {x, n.intVector({which}), n.intVector({turned}), n.intVector({3}),
                             n.intVector({2})});
  };
  auto mul = [&](Value a, Value b) { return n.apply("mul", {a, b}); };
  Value a = part(0), b = part(1);
  Value real = n.apply("sub", {mul(cosines, a), mul(sines, b)});
  Value imaginary = n.apply("add", {mul(sines, a), mul(cosines, b)});
  Value y;
  if (interleaved) {
    y = n.concat({n.unsqueeze(real, {4}), n.unsqueeze(imaginary, {4})}, 4);
    y = n.reshape(y, {0, 0, 0, turned});
  } else {
    y = n.concat({real, imaginary}, 3);
  }
  if (turned < *size)
    y = n.concat({y, n.slice(x, 3, turned, *size)}, 3);
  n.result(flat ? n.reshapeTo(y, shape) : n.transpose(y, {0, 2, 1, 3}));
}

constexpr ConverterRow kRows[] = {
    {"Attention", 23, attention},
    {"RotaryEmbedding", 23, rotaryEmbedding},
};

} // namespace

ConverterRows attentionRows() { return kRows; }

} // namespace imbrex::frontend
