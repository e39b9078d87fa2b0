#include "support/opmeaning/evaluate/Moves.h"

#include "support/opmeaning/evaluate/Run.h"

#include <algorithm>
#include <cstring>

namespace imbrex::opmeaning {

/// The elements that this code copies are no other bits than those it reads.
static bool keepsBits(DType type) {
  return type != DType::Invalid && type != DType::Bool && byteSize(type) <= 8;
}

std::optional<Moves> Moves::of(Compiler &c, const Node *body, DType type,
                               const std::vector<int64_t> &extents) {
  Moves m;
  m.bytes = byteSize(type);
  m.outer = extents;
  while (!m.outer.empty() && m.outer.back() == 1)
    m.outer.pop_back();
  if (m.outer.empty() || !keepsBits(type))
    return std::nullopt;
  m.length = m.outer.back();
  m.outer.pop_back();
  const Node *read = body;
  if (body->kind == TermKind::VSelect) {
    read = body->args[1];
    const Node *other = body->args[2];
    if (other->kind != TermKind::VConst || !m.addGuard(c, body->args[0]))
      return std::nullopt;
    auto value = c.compile(other);
    if (!value)
      return std::nullopt;
    Frame none;
    storeElement(m.otherwise.data(), type, 0, (*value)->run(none));
    m.otherwiseZero =
        std::ranges::all_of(m.otherwise, [](std::byte b) { return b == std::byte{0}; });
  }
  // A size without a value is an error, which whoever compiles the whole body reports.
  if (read->kind != TermKind::VRead || !m.addRead(c, read, type) || c.error)
    return std::nullopt;
  return m;
}

bool Moves::addGuard(Compiler &c, const Node *n) {
  if (n->kind == TermKind::PTrue)
    return true;
  if (n->kind == TermKind::PAnd)
    return addGuard(c, n->args[0]) && addGuard(c, n->args[1]);
  const bool negated = n->kind == TermKind::PNot;
  if (negated)
    n = n->args[0];
  if (n->kind != TermKind::PCmp || (n->cmp != Cmp::Lt && n->cmp != Cmp::Le))
    return false;
  auto a = c.affine(n->args[0]), b = c.affine(n->args[1]);
  if (!a || !b)
    return false;
  auto distance = negated ? c.difference(*a, *b) : c.difference(*b, *a);
  if (!distance)
    return false;
  if ((n->cmp == Cmp::Lt) != negated)
    --distance->base;
  guards.push_back(std::move(*distance));
  return true;
}

bool Moves::addRead(Compiler &c, const Node *n, DType type) {
  const HostTensor *t = c.tensor(n->source);
  if (!t || t->shape().size() != n->args.size() || t->type() != type || t->elems() == 0)
    return false;
  from = t->bytes().data();
  int64_t stride = 1;
  for (size_t d = n->args.size(); d-- > 0;) {
    auto a = c.affine(n->args[d]);
    if (!a)
      return false;
    // What a guard keeps away may lie anywhere.
    int64_t base = 0;
    if (__builtin_mul_overflow(a->base, stride, &base) ||
        __builtin_add_overflow(place.base, base, &place.base))
      return false;
    for (const auto &[slot, factor] : a->parts)
      place.parts.emplace_back(slot, factor * stride);
    const int64_t extent = t->shape()[d];
    stride *= extent;
    if (a->lo < 0 || a->hi >= extent)
      indices.push_back({std::move(*a), extent});
  }
  return true;
}

int64_t Moves::step(const Affine &a) const {
  int64_t sum = 0;
  for (const auto &[slot, factor] : a.parts)
    if (slot == outer.size())
      sum += factor;
  return sum;
}

/// The part of [first, end) in which value + step * i >= 0.
static void clip(int64_t value, int64_t step, int64_t &first, int64_t &end) {
  if (step == 0) {
    if (value < 0)
      end = first;
  } else if (step > 0) {
    if (value < 0)
      first = std::max(first, (-value + step - 1) / step);
  } else {
    end = value < 0 ? first : std::min(end, value / -step + 1);
  }
}

template <class T> static void copyEach(std::byte *to, const T *from, int64_t count, int64_t step) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * static_cast<int64_t>(sizeof(T)), from + i * step, sizeof(T));
}

void Moves::copy(std::byte *to, int64_t first, int64_t count) const {
  const std::byte *at = from + first * bytes;
  const int64_t by = step(place);
  if (by == 1) {
    std::memcpy(to, at, static_cast<size_t>(count * bytes));
    return;
  }
  switch (bytes) {
  case 8:
    return copyEach(to, reinterpret_cast<const uint64_t *>(at), count, by);
  case 4:
    return copyEach(to, reinterpret_cast<const uint32_t *>(at), count, by);
  case 2:
    return copyEach(to, reinterpret_cast<const uint16_t *>(at), count, by);
  default:
    return copyEach(to, reinterpret_cast<const uint8_t *>(at), count, by);
  }
}

/// Where `to` holds zeros already.
void Moves::fill(std::byte *to, int64_t count) const {
  if (otherwiseZero)
    return;
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * bytes, otherwise.data(), static_cast<size_t>(bytes));
}

void Moves::row(Frame &f, std::byte *to) const {
  int64_t first = 0, end = length;
  for (const Affine &g : guards)
    clip(g.at(f), step(g), first, end);
  if (first >= end)
    return fill(to, length);
  for (const Index &i : indices) {
    const int64_t at = i.value.at(f), by = step(i.value);
    for (int64_t v : {at + by * first, at + by * (end - 1)})
      if (v < 0 || v >= i.extent)
        return f.fail(Fault::OutOfBounds);
  }
  fill(to, first);
  copy(to + first * bytes, place.at(f) + step(place) * first, end - first);
  fill(to + end * bytes, length - end);
}

void Moves::run(Frame &f, std::byte *to) const {
  std::fill(f.vars.begin(), f.vars.end(), 0);
  while (!f.failed()) {
    row(f, to);
    to += length * bytes;
    size_t d = outer.size();
    while (d > 0 && f.vars[d - 1] + 1 == outer[d - 1])
      f.vars[--d] = 0;
    if (d == 0)
      return;
    ++f.vars[d - 1];
  }
}

} // namespace imbrex::opmeaning
