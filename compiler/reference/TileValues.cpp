#include "compiler/reference/TileValues.h"

#include <cmath>

namespace imbrex::tile {

using namespace mlir;

Elements constantTile(TypedAttr value) {
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return {{}, {constantElement(value)}};
  Elements tile{dense.getType().getShape().vec(), {}};
  for (Attribute element : dense.getValues<Attribute>())
    tile.data.push_back(constantElement(element));
  return tile;
}

namespace {

Element join(Kind kind, Type type, const Element &x, const Element &y) {
  if (isa<FloatType>(type)) {
    auto extreme = [&](bool maximum) {
      if (std::isnan(x.real) || std::isnan(y.real))
        return double(NAN);
      if (x.real == 0 && y.real == 0)
        return std::signbit(x.real) == maximum ? y.real : x.real;
      return (x.real < y.real) == maximum ? y.real : x.real;
    };
    switch (kind) {
    case Kind::sum:
      return realElement(type, x.real + y.real);
    case Kind::product:
      return realElement(type, x.real * y.real);
    case Kind::maximum:
      return {extreme(true), 0};
    case Kind::minimum:
      return {extreme(false), 0};
    }
  }
  switch (kind) {
  case Kind::sum:
    return wholeElement(type, int64_t(uint64_t(x.whole) + uint64_t(y.whole)));
  case Kind::product:
    return wholeElement(type, int64_t(uint64_t(x.whole) * uint64_t(y.whole)));
  case Kind::maximum:
    return {0, std::max(x.whole, y.whole)};
  case Kind::minimum:
    return {0, std::min(x.whole, y.whole)};
  }
  return {};
}

/// The tree of Tile.h: kReduceLanes running results, then halves are joined.
Element reduceLine(Kind kind, Type type, ArrayRef<Element> line) {
  SmallVector<Element> lanes(line.take_front(kReduceLanes));
  for (size_t n = kReduceLanes; n < line.size(); ++n)
    lanes[n % kReduceLanes] = join(kind, type, lanes[n % kReduceLanes], line[n]);
  for (size_t half = kReduceLanes / 2; half > 0; half /= 2)
    for (size_t l = 0; l < half && l + half < lanes.size(); ++l)
      lanes[l] = join(kind, type, lanes[l], lanes[l + half]);
  return lanes[0];
}

/// How an axis divides a tile: `outer` blocks of `size` steps of `inner` elements.
struct Axis {
  int64_t outer = 1, size = 1, inner = 1;
  Axis(ArrayRef<int64_t> shape, int64_t axis) : size(shape[axis]) {
    for (int64_t e : shape.take_front(axis))
      outer *= e;
    for (int64_t e : shape.drop_front(axis + 1))
      inner *= e;
  }
  size_t at(int64_t o, int64_t s, int64_t i) const {
    return static_cast<size_t>((o * size + s) * inner + i);
  }
};

Elements reduce(ReduceOp op, const Elements &x) {
  Type type = op.getResult().getType().getElementType();
  Axis axis(x.shape, op.getAxis());
  Elements tile{op.getResult().getType().getShape().vec(), {}};
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t i = 0; i < axis.inner; ++i) {
      SmallVector<Element> line;
      for (int64_t s = 0; s < axis.size; ++s)
        line.push_back(x.data[axis.at(o, s, i)]);
      tile.data.push_back(reduceLine(op.getKind(), type, line));
    }
  return tile;
}

Elements scan(ScanOp op, const Elements &x) {
  Type type = op.getResult().getType().getElementType();
  Axis axis(x.shape, op.getAxis());
  Elements tile = x;
  for (int64_t o = 0; o < axis.outer; ++o)
    for (int64_t s = 1; s < axis.size; ++s)
      for (int64_t i = 0; i < axis.inner; ++i)
        tile.data[axis.at(o, s, i)] =
            join(op.getKind(), type, tile.data[axis.at(o, s - 1, i)], x.data[axis.at(o, s, i)]);
  return tile;
}

Elements multiply(MmaOp op, const Elements &a, const Elements &b, const Elements &c) {
  Type type = op.getResult().getType().getElementType();
  int64_t m = a.shape[0], depth = a.shape[1], n = b.shape[1];
  Elements tile = c;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      Element &sum = tile.data[static_cast<size_t>(i * n + j)];
      for (int64_t k = 0; k < depth; ++k) {
        const Element &x = a.data[static_cast<size_t>(i * depth + k)];
        const Element &y = b.data[static_cast<size_t>(k * n + j)];
        if (type.isF32())
          sum.real = std::fma(float(x.real), float(y.real), float(sum.real));
        else if (type.isF64())
          sum.real = std::fma(x.real, y.real, sum.real);
        else
          sum = wholeElement(type, sum.whole +
                                       (op.getUnsignedLeft() ? x.whole & 255 : x.whole) *
                                           (op.getUnsignedRight() ? y.whole & 255 : y.whole));
      }
    }
  return tile;
}

/// The element of the operand that each element of the result comes from.
Elements moved(RankedTensorType type, const Elements &x,
               function_ref<void(SmallVectorImpl<int64_t> &)> from) {
  Elements tile{type.getShape().vec(), {}};
  for (int64_t n = 0; n < type.getNumElements(); ++n) {
    SmallVector<int64_t> at(static_cast<size_t>(type.getRank()));
    int64_t rest = n, flat = 0;
    for (int64_t d = type.getRank() - 1; d >= 0; rest /= type.getDimSize(d--))
      at[d] = rest % type.getDimSize(d);
    from(at);
    for (auto [coordinate, extent] : llvm::zip_equal(at, x.shape))
      flat = flat * extent + coordinate;
    tile.data.push_back(x.data[static_cast<size_t>(flat)]);
  }
  return tile;
}

Elements broadcastTile(BroadcastOp op, const Elements &x) {
  RankedTensorType type = op.getResult().getType();
  if (!isa<RankedTensorType>(op.getSource().getType()))
    return {type.getShape().vec(), std::vector<Element>(type.getNumElements(), x.data[0])};
  return moved(type, x, [&](SmallVectorImpl<int64_t> &at) {
    for (auto [coordinate, extent] : llvm::zip_equal(at, x.shape))
      coordinate = extent == 1 ? 0 : coordinate;
  });
}

Elements concat(ConcatOp op, ArrayRef<const Elements *> parts) {
  RankedTensorType type = op.getResult().getType();
  Elements tile{type.getShape().vec(), std::vector<Element>(type.getNumElements())};
  Axis whole(type.getShape(), op.getAxis());
  int64_t first = 0;
  for (const Elements *part : parts) {
    Axis axis(part->shape, op.getAxis());
    for (int64_t o = 0; o < axis.outer; ++o)
      for (int64_t s = 0; s < axis.size; ++s)
        for (int64_t i = 0; i < axis.inner; ++i)
          tile.data[whole.at(o, first + s, i)] = part->data[axis.at(o, s, i)];
    first += axis.size;
  }
  return tile;
}

Elements iota(IotaOp op) {
  RankedTensorType type = op.getResult().getType();
  Axis axis(type.getShape(), op.getAxis());
  Elements tile{type.getShape().vec(), {}};
  for (int64_t n = 0; n < type.getNumElements(); ++n)
    tile.data.push_back(wholeElement(type.getElementType(), n / axis.inner % axis.size));
  return tile;
}

} // namespace

std::optional<Elements> computeTile(Operation *op, ArrayRef<const Elements *> in) {
  using Place = SmallVectorImpl<int64_t> &;
  return llvm::TypeSwitch<Operation *, std::optional<Elements>>(op)
      .Case([&](ReduceOp o) { return reduce(o, *in[0]); })
      .Case([&](ScanOp o) { return scan(o, *in[0]); })
      .Case([&](MmaOp o) { return multiply(o, *in[0], *in[1], *in[2]); })
      .Case([&](BroadcastOp o) { return broadcastTile(o, *in[0]); })
      .Case([&](ReshapeOp o) {
        return Elements{o.getResult().getType().getShape().vec(), in[0]->data};
      })
      .Case([&](TransposeOp o) {
        return moved(o.getResult().getType(), *in[0], [&](Place at) {
          SmallVector<int64_t> result(at.begin(), at.end());
          for (auto [d, axis] : llvm::enumerate(o.getOrder()))
            at[static_cast<size_t>(axis)] = result[d];
        });
      })
      .Case([&](SliceOp o) {
        return moved(o.getResult().getType(), *in[0], [&](Place at) {
          for (auto [coordinate, offset] : llvm::zip_equal(at, o.getOffsets()))
            coordinate += offset;
        });
      })
      .Case([&](ConcatOp o) { return concat(o, in); })
      .Case([&](IotaOp o) { return iota(o); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace imbrex::tile
