// The pieces of code that indices and guards are made of.
#pragma once

#include "support/opmeaning/evaluate/Code.h"

#include <algorithm>

namespace imbrex::opmeaning {

struct ConstantCode final : Code {
  Value value;
  explicit ConstantCode(Value v) : value(v) {}
  Value run(Frame &) const override { return value; }
};

struct FaultCode final : Code {
  Fault fault;
  explicit FaultCode(Fault f) : fault(f) {}
  Value run(Frame &f) const override {
    f.fail(fault);
    return integer(0);
  }
};

struct AffineCode final : Code {
  Affine affine;
  explicit AffineCode(Affine a) : affine(std::move(a)) {}
  Value run(Frame &f) const override { return integer(affine.at(f)); }
};

/// Computes again only when a variable of its level has changed.
struct KeptCode final : Code {
  const Code *inner;
  uint32_t level;
  mutable uint64_t stamp = 0;
  mutable Value kept = {.i = 0};
  KeptCode(const Code *c, uint32_t level) : inner(c), level(level) {}
  Value run(Frame &f) const override {
    if (stamp != f.stamps[level]) {
      kept = inner->run(f);
      stamp = f.stamps[level];
    }
    return kept;
  }
};

struct BinaryCode : Code {
  const Code *a, *b;
  BinaryCode(const Code *a, const Code *b) : a(a), b(b) {}
};

// Index arithmetic is over the mathematical integers: what leaves int64 stays at its end, where no
// read is legal.
inline int64_t saturate(bool negative) { return negative ? INT64_MIN : INT64_MAX; }

struct IndexAddCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override {
    int64_t x = a->run(f).i, y = b->run(f).i, v;
    return integer(__builtin_add_overflow(x, y, &v) ? saturate(x < 0) : v);
  }
};
struct IndexSubCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override {
    int64_t x = a->run(f).i, y = b->run(f).i, v;
    return integer(__builtin_sub_overflow(x, y, &v) ? saturate(x < 0) : v);
  }
};
struct IndexMulCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override {
    int64_t x = a->run(f).i, y = b->run(f).i, v;
    return integer(__builtin_mul_overflow(x, y, &v) ? saturate((x < 0) != (y < 0)) : v);
  }
};
struct IndexMinCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override { return integer(std::min(a->run(f).i, b->run(f).i)); }
};
struct IndexMaxCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override { return integer(std::max(a->run(f).i, b->run(f).i)); }
};

struct IndexFloorDivCode final : Code {
  const Code *a;
  int64_t d; // > 0
  IndexFloorDivCode(const Code *a, int64_t d) : a(a), d(d) {}
  Value run(Frame &f) const override {
    int64_t x = a->run(f).i;
    return integer(x / d - (x % d < 0));
  }
};
struct IndexModCode final : Code {
  const Code *a;
  int64_t d; // > 0
  IndexModCode(const Code *a, int64_t d) : a(a), d(d) {}
  Value run(Frame &f) const override {
    int64_t r = a->run(f).i % d;
    return integer(r < 0 ? r + d : r);
  }
};

struct SelectCode final : Code {
  const Code *guard, *then, *otherwise;
  SelectCode(const Code *g, const Code *t, const Code *o) : guard(g), then(t), otherwise(o) {}
  Value run(Frame &f) const override { return guard->run(f).i ? then->run(f) : otherwise->run(f); }
};

struct NotCode final : Code {
  const Code *a;
  explicit NotCode(const Code *a) : a(a) {}
  Value run(Frame &f) const override { return integer(a->run(f).i == 0); }
};
struct AndCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override { return integer(a->run(f).i && b->run(f).i); }
};
struct OrCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override { return integer(a->run(f).i || b->run(f).i); }
};

template <Cmp C> struct CompareCode final : BinaryCode {
  using BinaryCode::BinaryCode;
  Value run(Frame &f) const override {
    int64_t x = a->run(f).i, y = b->run(f).i;
    if constexpr (C == Cmp::Eq)
      return integer(x == y);
    else if constexpr (C == Cmp::Ne)
      return integer(x != y);
    else if constexpr (C == Cmp::Lt)
      return integer(x < y);
    else
      return integer(x <= y);
  }
};

} // namespace imbrex::opmeaning
