// The same elements under another shape or order: reshape, transpose, expand, tile, depth and
// space.
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>
#include <numeric>

namespace imbrex::opmeaning {
namespace {

/// y over `dims` with x's elements in row-major order. Leading and trailing dimensions that both
/// shapes share keep their index; only what lies between is flattened and divided again.
Result<Program> reshaped(Builder &b, const Tensor &x, const std::vector<Dim> &dims) {
  b.require(eq(Ix(product(x.dims, 0, x.rank())), Ix(product(dims, 0, dims.size()))),
            describe(x) + " cannot take the shape " + TensorType{x.type, dims}.str());
  const auto &facts = b.facts();
  const size_t shorter = std::min(x.rank(), dims.size());
  size_t head = 0, tail = 0;
  while (head < shorter && facts.provenEqual(x.dims[head], dims[head]))
    ++head;
  while (tail < shorter - head &&
         facts.provenEqual(x.dims[x.rank() - 1 - tail], dims[dims.size() - 1 - tail]))
    ++tail;
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    const auto end = static_cast<ptrdiff_t>(dims.size() - tail);
    const auto first = static_cast<ptrdiff_t>(head);
    const Ix flat =
        flatten({i.begin() + first, i.begin() + end}, {dims.begin() + first, dims.begin() + end});
    std::vector<Ix> at(i.begin(), i.begin() + first);
    const auto middle =
        unflatten(b, flat, {x.dims.begin() + first, x.dims.end() - static_cast<ptrdiff_t>(tail)});
    at.insert(at.end(), middle.begin(), middle.end());
    at.insert(at.end(), i.begin() + end, i.end());
    return x(at);
  });
  return b.finish({y});
}

/// The target of a shape whose elements are numbers or sizes: 0 copies a dimension unless
/// `allowZero`, one -1 takes what is left. A size that turns out to be 0 is that size.
std::optional<std::vector<Dim>> namedTarget(Builder &b, const Tensor &x,
                                            const std::vector<Dim> &shape, bool allowZero) {
  std::vector<Dim> dims, rest = x.dims; // rest: x's dimensions that no 0 copied
  std::optional<size_t> open;
  Dim known = 1;
  for (size_t k = 0; k < shape.size(); ++k) {
    const Dim &s = shape[k];
    const bool infer = s.isConstant(-1), copied = s.isConstant(0) && !allowZero;
    if (!check(b, infer || !s.constant() || *s.constant() >= 0, "the shape holds " + s.str()) ||
        !check(b, !infer || !open, "the shape holds -1 twice") ||
        !check(b, !copied || k < x.rank(),
               "0 copies a dimension that " + describe(x) + " does not have"))
      return std::nullopt;
    if (infer)
      open = k;
    dims.push_back(copied ? x.dims[k] : infer ? Dim(0) : s);
    if (copied || (!infer && k < x.rank() && s == x.dims[k]))
      rest[k] = 1;
    else if (!infer)
      known = known * s;
  }
  if (open) {
    if (!check(b, !known.isConstant(0), "-1 stands beside a 0, so it could be anything"))
      return std::nullopt;
    dims[*open] = floorDiv(product(rest, 0, rest.size()), divisor(b, known));
  }
  return dims;
}

/// The target of a shape known at run time only, computed on the host.
std::vector<Dim> openTarget(Builder &b, const Tensor &x, const Tensor &shape, size_t rank,
                            bool allowZero) {
  auto num = [&](int64_t v) { return b.integer(v, DType::I64); };
  const Dim length(static_cast<int64_t>(rank));
  auto copied = b.shapeDef("copied", DType::I64, {length}, [&](Axes i) {
    const Val s = b.cast(shape({i[0]}), DType::I64);
    if (allowZero || x.rank() == 0)
      return s;
    const Ix last(static_cast<int64_t>(x.rank()) - 1);
    return b.select(
        b.holds(b.f(FnId::Eq, {s, num(0)})), [&] { return sizeAt(b, x.dims, min(i[0], last)); },
        [&] { return s; });
  });
  auto open = [&](const Ix &k) { return b.holds(b.f(FnId::Eq, {copied({k}), num(-1)})); };
  auto known = b.shapeDef("known", DType::I64, {}, [&](Axes) {
    return b.reduce(
        Red::Prod, DType::I64, {length}, [&](Axes k) { return !open(k[0]); },
        [&](Axes k) { return copied({k[0]}); });
  });
  auto target = b.shapeDef("target", DType::I64, {length}, [&](Axes i) {
    const Val total = b.cast(Ix(product(x.dims, 0, x.rank())), DType::I64);
    return b.select(
        open(i[0]), [&] { return total / b.f(FnId::Max, {known({}), num(1)}); },
        [&] { return copied({i[0]}); });
  });
  std::vector<Dim> dims;
  for (size_t k = 0; k < rank; ++k)
    dims.push_back(target.value({static_cast<int64_t>(k)}));
  return dims;
}

Result<Program> reshape(Builder &b, const Attrs &a) {
  auto x = *b.in(0), shape = *b.in(1);
  auto rank = vectorLength(b, shape, "shape");
  if (!rank)
    return b.finish({});
  const bool allowZero = a.i("allow_zero") != 0;
  auto known = knownInts(b, 1);
  if (!known)
    return reshaped(b, x, openTarget(b, x, shape, *rank, allowZero));
  auto dims = namedTarget(b, x, *known, allowZero);
  return dims ? reshaped(b, x, *dims) : b.finish({});
}

Result<Program> flattenTo2D(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  const auto rank = static_cast<int64_t>(x.rank());
  const int64_t axis = a.i("axis") < 0 ? a.i("axis") + rank : a.i("axis");
  if (axis < 0 || axis > rank)
    return failed(b, "axis " + std::to_string(a.i("axis")) + " is outside " + describe(x));
  const auto n = static_cast<size_t>(axis);
  return reshaped(b, x, {product(x.dims, 0, n), product(x.dims, n, x.rank())});
}

Result<Program> squeeze(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axes = axesOf(b, a.is("axes"), x.rank());
  if (!axes)
    return b.finish({});
  std::vector<bool> gone(x.rank(), false);
  for (size_t k = 0; axes->empty() && k < x.rank(); ++k) {
    gone[k] = b.facts().provenEqual(x.dims[k], 1);
    if (!check(b, gone[k] || b.facts().provenUnequal(x.dims[k], 1),
               "whether axis " + std::to_string(k) + " of " + describe(x) +
                   " has size 1 is not known, and the result's rank depends on it"))
      return b.finish({});
  }
  for (size_t k : *axes) {
    gone[k] = true;
    b.require(eq(x.dims[k], Ix(1)),
              "axis " + std::to_string(k) + " of " + describe(x) + " does not have size 1");
  }
  std::vector<Dim> dims;
  for (size_t k = 0; k < x.rank(); ++k)
    if (!gone[k])
      dims.push_back(x.dims[k]);
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    std::vector<Ix> at;
    for (size_t k = 0, n = 0; k < x.rank(); ++k)
      at.push_back(gone[k] ? Ix(0) : i[n++]);
    return x(at);
  });
  return b.finish({y});
}

Result<Program> unsqueeze(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto axes = axesOf(b, a.is("axes"), x.rank() + a.is("axes").size());
  if (!axes)
    return b.finish({});
  std::vector<bool> added(x.rank() + axes->size(), false);
  for (size_t k : *axes)
    added[k] = true;
  std::vector<Dim> dims;
  for (size_t k = 0, n = 0; k < added.size(); ++k)
    dims.push_back(added[k] ? Dim(1) : x.dims[n++]);
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    std::vector<Ix> at;
    for (size_t k = 0; k < added.size(); ++k)
      if (!added[k])
        at.push_back(i[k]);
    return x(at);
  });
  return b.finish({y});
}

Result<Program> transpose(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  std::vector<int64_t> perm = a.is("perm");
  if (perm.empty()) {
    perm.resize(x.rank());
    std::iota(perm.rbegin(), perm.rend(), 0);
  }
  if (!axesOf(b, perm, x.rank()) ||
      !check(b, perm.size() == x.rank(), "perm does not name every axis of " + describe(x)))
    return b.finish({});
  std::vector<size_t> from;
  std::vector<Dim> dims;
  for (int64_t p : perm) {
    from.push_back(*axisOf(b, p, x.rank()));
    dims.push_back(x.dims[from.back()]);
  }
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    std::vector<Ix> at(x.rank(), Ix(0));
    for (size_t k = 0; k < from.size(); ++k)
      at[from[k]] = i[k];
    return x(at);
  });
  return b.finish({y});
}

/// The sizes that expand asks for where its shape is known at run time only: 1 keeps x's.
std::vector<Dim> openExpansion(Builder &b, const Tensor &shape, size_t length,
                               const std::vector<Dim> &own) {
  const auto skipped = static_cast<int64_t>(own.size() - length);
  auto target = b.shapeDef("target", DType::I64, {static_cast<int64_t>(length)}, [&](Axes i) {
    const Val s = b.cast(shape({i[0]}), DType::I64);
    return b.select(
        b.holds(b.f(FnId::Eq, {s, b.integer(1, DType::I64)})),
        [&] { return sizeAt(b, own, i[0] + skipped); }, [&] { return s; });
  });
  std::vector<Dim> dims(own.begin(), own.begin() + skipped);
  for (size_t k = 0; k < length; ++k) {
    dims.push_back(target.value({static_cast<int64_t>(k)}));
    const Dim &d = own[own.size() - length + k];
    b.require(any({eq(d, Ix(1)), eq(d, dims.back())}),
              "a size other than 1 cannot be expanded to another");
  }
  return dims;
}

Result<Program> expand(Builder &b, const Attrs &) {
  auto x = *b.in(0), shape = *b.in(1);
  auto length = vectorLength(b, shape, "shape");
  if (!length)
    return b.finish({});
  std::vector<Dim> dims = x.dims;
  if (auto wanted = knownInts(b, 1)) {
    for (const Dim &s : *wanted)
      if (!check(b, !s.constant() || *s.constant() >= 0, "the shape holds " + s.str()))
        return b.finish({});
    dims = broadcastDims(b, {x.dims, *wanted}, "the operand and the shape");
  } else if (*length > 0) {
    std::vector<Dim> own(std::max(x.rank(), *length) - x.rank(), Dim(1));
    own.insert(own.end(), x.dims.begin(), x.dims.end());
    dims = openExpansion(b, shape, *length, own);
  }
  auto y = b.def("y", x.type, dims, [&](Axes i) { return readBroadcast(b, x, i); });
  return b.finish({y});
}

Result<Program> tile(Builder &b, const Attrs &) {
  auto x = *b.in(0), repeats = *b.in(1);
  auto length = vectorLength(b, repeats, "repeats");
  if (!length || !check(b, *length == x.rank(),
                        "there are " + std::to_string(*length) + " repeats for " + describe(x)))
    return b.finish({});
  std::vector<Dim> dims;
  for (size_t k = 0; k < x.rank(); ++k) {
    const Dim times = repeats.value({static_cast<int64_t>(k)});
    b.require(le(Ix(0), times), "a repeat is negative");
    dims.push_back(x.dims[k] * times);
  }
  auto y = b.def("y", x.type, dims, [&](Axes i) {
    std::vector<Ix> at;
    for (size_t k = 0; k < x.rank(); ++k)
      at.push_back(dims[k] == x.dims[k] ? i[k] : mod(i[k], divisor(b, x.dims[k])));
    return x(at);
  });
  return b.finish({y});
}

/// Fails b unless x is [n, c, h, w] and the block size is positive; the block size.
std::optional<Dim> blockOf(Builder &b, const Tensor &x, const Attrs &a) {
  if (!check(b, x.rank() == 4, describe(x) + " is not of rank 4") ||
      !check(b, a.i("block_size") > 0, "the block size is not positive"))
    return std::nullopt;
  return Dim(a.i("block_size"));
}

Result<Program> depthToSpace(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto block = blockOf(b, x, a);
  if (!block)
    return b.finish({});
  const auto &mode = a.s("mode");
  if (mode != "dcr" && mode != "crd")
    return failed(b, "mode is \"" + mode + "\", neither dcr nor crd");
  const Dim s = *block, area = s * s;
  b.require(eq(mod(x.dims[1], area), Dim(0)), "the channels are no multiple of the block's area");
  const Dim c = floorDiv(x.dims[1], area);
  auto y = b.def("y", x.type, {x.dims[0], c, x.dims[2] * s, x.dims[3] * s}, [&](Axes i) {
    const Ix r = mod(i[2], s), q = mod(i[3], s);
    const Ix place = r * s + q;
    const Ix channel = mode == "dcr" ? place * c + i[1] : i[1] * area + place;
    return x({i[0], channel, floorDiv(i[2], s), floorDiv(i[3], s)});
  });
  return b.finish({y});
}

Result<Program> spaceToDepth(Builder &b, const Attrs &a) {
  auto x = *b.in(0);
  auto block = blockOf(b, x, a);
  if (!block)
    return b.finish({});
  const Dim s = *block, c = x.dims[1];
  for (size_t k : {2, 3})
    b.require(eq(mod(x.dims[k], s), Dim(0)), "a side is no multiple of the block size");
  auto y =
      b.def("y", x.type, {x.dims[0], c * s * s, floorDiv(x.dims[2], s), floorDiv(x.dims[3], s)},
            [&](Axes i) {
              const Ix place = floorDiv(i[1], divisor(b, c));
              return x({i[0], mod(i[1], divisor(b, c)), i[2] * s + floorDiv(place, s),
                        i[3] * s + mod(place, s)});
            });
  return b.finish({y});
}

} // namespace

void registerReshape(std::vector<Operator> &ops) {
  auto add = [&](std::string_view name, std::string_view doc, uint8_t operands, Meaning meaning,
                 std::vector<AttrDecl> attrs) {
    ops.push_back({.name = name,
                   .doc = doc,
                   .minOperands = operands,
                   .maxOperands = operands,
                   .attrs = std::move(attrs),
                   .meaning = meaning,
                   .contract = FloatContract::Exact});
  };
  const auto block = requiredAttr("block_size", AttrKind::Int, "the block's side");
  add("reshape", "The same elements in row-major order under the shape of operand 2.", 2, reshape,
      {intAttr("allow_zero", 0, "1: a 0 in the shape is a size, not a copy of the operand's")});
  add("flatten", "A matrix: the dimensions before axis, and those from it on.", 1, flattenTo2D,
      {intAttr("axis", 1, "the first dimension of the columns")});
  add("squeeze", "Without dimensions of size 1.", 1, squeeze,
      {intsAttr("axes", "those that go; none: all of size 1")});
  add("unsqueeze", "With new dimensions of size 1.", 1, unsqueeze,
      {intsAttr("axes", "where they stand in the result")});
  add("transpose", "Axes in another order: axis k of the result is axis perm[k] of x.", 1,
      transpose, {intsAttr("perm", "the axes in their new order; none: reversed")});
  add("expand", "Broadcast against the shape of operand 2.", 2, expand, {});
  add("tile", "Repeated along each axis as often as operand 2 says.", 2, tile, {});
  add("depth_to_space", "Channels moved into blocks of height and width.", 1, depthToSpace,
      {block,
       wordAttr("mode", "dcr", "dcr: the block is the outer part of a channel; crd: inner")});
  add("space_to_depth", "Blocks of height and width moved into channels.", 1, spaceToDepth,
      {block});
}

} // namespace imbrex::opmeaning
