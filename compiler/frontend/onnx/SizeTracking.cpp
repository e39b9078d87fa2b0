#include "compiler/frontend/onnx/SizeTracking.h"

#include "support/opmeaning/Sizes.h"

#include <algorithm>

namespace imbrex::frontend {
using Sizes = std::optional<std::vector<DimExpr>>;

static constexpr int64_t kMaxElems = 64;

static bool smallInteger(const opmeaning::TensorType &t) {
  return isInteger(t.type) && t.dims.size() <= 1;
}

Sizes knownSizes(const ValueInfo &v) {
  if (v.sizes)
    return v.sizes;
  if (!v.constant || !smallInteger(v.type) || v.constant->elems() > kMaxElems)
    return std::nullopt;
  auto values = v.constant->toInts();
  return std::vector<DimExpr>(values.begin(), values.end());
}

namespace {

/// The operands of one application, as far as they are known.
struct Follow {
  const opmeaning::Attrs &attrs;
  const std::vector<const ValueInfo *> &operands;

  Sizes in(size_t i) const {
    return i < operands.size() && operands[i] ? knownSizes(*operands[i]) : std::nullopt;
  }
  std::optional<int64_t> number(size_t i, int64_t absent) const {
    if (i >= operands.size() || !operands[i])
      return absent;
    auto v = knownSizes(*operands[i]);
    return v && v->size() == 1 ? (*v)[0].constant() : std::nullopt;
  }

  Sizes shape() const;
  Sizes size() const;
  Sizes elements() const;
  Sizes gather() const;
  Sizes concat() const;
  Sizes slice() const;
  template <class F> Sizes pairwise(F combine) const;
  Sizes quotient() const;
};

} // namespace

Sizes Follow::shape() const {
  const auto &dims = operands[0]->type.dims;
  auto rank = static_cast<int64_t>(dims.size());
  auto place = [&](int64_t v) {
    v = std::clamp(v, -rank, rank);
    return v < 0 ? v + rank : v;
  };
  int64_t begin = place(attrs.i("start")), end = std::max(begin, place(attrs.i("end")));
  return std::vector<DimExpr>(dims.begin() + begin, dims.begin() + end);
}

Sizes Follow::size() const {
  DimExpr product = 1;
  for (const DimExpr &d : operands[0]->type.dims)
    product = product * d;
  return product.valid() ? Sizes({product}) : std::nullopt;
}

Sizes Follow::elements() const {
  std::vector<opmeaning::TensorType> types;
  for (const auto *v : operands)
    types.push_back(v->type);
  auto made = opmeaning::elementsOfSizes(types, attrs);
  return made ? Sizes(made.take()) : std::nullopt;
}

Sizes Follow::gather() const {
  auto x = in(0), at = in(1);
  if (!x || !at)
    return std::nullopt;
  std::vector<DimExpr> out;
  auto n = static_cast<int64_t>(x->size());
  for (const auto &e : *at) {
    auto i = e.constant();
    if (!i || *i < -n || *i >= n)
      return std::nullopt;
    out.push_back((*x)[size_t(*i < 0 ? *i + n : *i)]);
  }
  return out;
}

Sizes Follow::concat() const {
  std::vector<DimExpr> out;
  for (size_t i = 0; i < operands.size(); ++i) {
    auto part = in(i);
    if (!part || operands[i]->type.dims.size() != 1)
      return std::nullopt;
    out.insert(out.end(), part->begin(), part->end());
  }
  return out;
}

Sizes Follow::slice() const {
  auto x = in(0);
  if (!x || operands[0]->type.dims.size() != 1)
    return std::nullopt;
  auto begin = number(1, 0), end = number(2, 0), step = number(4, 1);
  if (!begin || !end || !step || *step == 0)
    return std::nullopt;
  auto n = static_cast<int64_t>(x->size());
  auto place = [&](int64_t v, int64_t low, int64_t high) {
    return std::clamp(v < 0 ? std::max(v, -n - 1) + n : v, low, high);
  };
  std::vector<DimExpr> out;
  if (*step > 0)
    for (int64_t i = place(*begin, 0, n), e = place(*end, 0, n); i < e; i += std::min(*step, n))
      out.push_back((*x)[size_t(i)]);
  else
    for (int64_t i = place(*begin, 0, n - 1), e = place(*end, -1, n - 1); i > e;
         i += std::max(*step, -n))
      out.push_back((*x)[size_t(i)]);
  return out;
}

template <class F> Sizes Follow::pairwise(F combine) const {
  auto a = in(0), b = in(1);
  if (!a || !b || operands.size() != 2)
    return std::nullopt;
  size_t n = std::max(a->size(), b->size());
  if ((a->size() != n && a->size() != 1) || (b->size() != n && b->size() != 1))
    return std::nullopt;
  std::vector<DimExpr> out;
  for (size_t i = 0; i < n; ++i) {
    out.push_back(combine((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
    if (!out.back().valid())
      return std::nullopt;
  }
  return out;
}

/// Integer division truncates and sizes are not negative, but differences of sizes may be: only
/// quotients of sums of sizes with positive coefficients are followed.
Sizes Follow::quotient() const {
  auto positive = [](const DimExpr &e) {
    return std::ranges::all_of(e.terms(), [](const auto &t) { return t.coefficient >= 0; });
  };
  bool good = true;
  auto out = pairwise([&](const DimExpr &a, const DimExpr &b) {
    auto divisor = b.constant();
    good &= divisor && *divisor > 0 && positive(a);
    return good ? floorDiv(a, b) : DimExpr(0);
  });
  return good ? out : std::nullopt;
}

Sizes sizesOf(const opmeaning::Operator &op, const opmeaning::Attrs &attrs,
              const std::vector<const ValueInfo *> &operands) {
  Follow f{attrs, operands};
  if (op.name == "shape")
    return f.shape();
  if (op.name == "size")
    return f.size();
  if (op.name == "sizes")
    return f.elements();
  if (operands.empty() || !operands[0] || !smallInteger(operands[0]->type))
    return std::nullopt;
  if (op.name == "gather")
    return f.gather();
  if (op.name == "concat")
    return f.concat();
  if (op.name == "slice")
    return f.slice();
  if (op.name == "squeeze" || op.name == "identity")
    return f.in(0);
  if (op.name == "unsqueeze")
    return operands[0]->type.dims.empty() && attrs.is("axes").size() == 1 ? f.in(0) : std::nullopt;
  if (op.name == "reshape")
    return f.in(0) && f.in(0)->size() == 1 ? f.in(0) : std::nullopt;
  if (op.name == "cast")
    return attrs.t("to") == DType::I64 || attrs.t("to") == DType::I32 ? f.in(0) : std::nullopt;
  if (op.name == "add")
    return f.pairwise([](const DimExpr &a, const DimExpr &b) { return a + b; });
  if (op.name == "sub")
    return f.pairwise([](const DimExpr &a, const DimExpr &b) { return a - b; });
  if (op.name == "mul")
    return f.pairwise([](const DimExpr &a, const DimExpr &b) { return a * b; });
  if (op.name == "div")
    return f.quotient();
  return std::nullopt;
}

} // namespace imbrex::frontend
