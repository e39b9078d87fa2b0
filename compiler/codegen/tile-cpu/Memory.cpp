// Views and scratch memory: addresses, masks at edges, loads and stores of vectors.
#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;
using arith::CmpIPredicate;

static Type storageOf(Type element) {
  return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8)) : element;
}

void KernelEmitter::emitViews() {
  for (BlockArgument argument : kernel.getViews()) {
    View view;
    view.type = cast<ViewType>(argument.getType());
    view.pointer = frame.pointer(argument.getArgNumber());
    view.memory = frame.flat(view.pointer, storageOf(view.type.getElementType()),
                             index(int64_t(kMaxViewElems)));
    view.dims = view.type.getDims();
    view.strideDims = view.type.getStrideDims();
    for (const DimExpr &dim : view.dims)
      view.extents.push_back(size(dim));
    for (const DimExpr &dim : view.strideDims)
      view.strides.push_back(size(dim));
    views.push_back(std::move(view));
  }
}

//===-- Places --------------------------------------------------------------===//

Place KernelEmitter::placeOf(Operation *op, Value view, RankedTensorType tile, ValueRange indices) {
  Place place;
  place.view = &views[cast<BlockArgument>(view).getArgNumber()];
  place.anywhere = isa<WindowOp>(op);
  auto wholeLoad = dyn_cast<LoadOp>(op);
  // A gather gives no coordinate for its first axis, which the rows are.
  size_t missing = static_cast<size_t>(tile.getRank()) - indices.size();
  for (size_t d = 0; d < static_cast<size_t>(tile.getRank()); ++d) {
    int64_t t = tile.getDimSize(static_cast<unsigned>(d));
    if (d < missing) {
      place.start.push_back(index(0));
      place.whole.push_back(true);
      continue;
    }
    Value i = scalar(indices[d - missing]);
    place.start.push_back(place.anywhere ? i : mul(i, index(t)));
    place.whole.push_back(!place.anywhere && ((wholeLoad && wholeLoad.getWhole()) ||
                                              facts.provenMultiple(place.view->dims[d], t)));
  }
  return place;
}

Place KernelEmitter::placeOf(Operation *read) {
  auto tile = cast<RankedTensorType>(read->getResult(0).getType());
  if (auto load = dyn_cast<LoadOp>(read))
    return placeOf(load, load.getView(), tile, load.getIndices());
  if (auto window = dyn_cast<WindowOp>(read))
    return placeOf(window, window.getView(), tile, window.getOffsets());
  auto gather = cast<GatherOp>(read);
  return placeOf(gather, gather.getView(), tile, gather.getIndices());
}

Value KernelEmitter::insideOf(const Place &place, RankedTensorType tile, ArrayRef<int64_t> except) {
  Value inside;
  for (size_t d = 0; d < place.start.size(); ++d) {
    if (place.whole[d] || llvm::is_contained(except, static_cast<int64_t>(d)))
      continue;
    Value end = add(place.start[d], index(tile.getDimSize(static_cast<unsigned>(d))));
    inside = both(inside, compare(CmpIPredicate::sle, end, place.view->extents[d]));
    if (place.anywhere)
      inside = both(inside, compare(CmpIPredicate::sge, place.start[d], index(0)));
  }
  return inside;
}

Value KernelEmitter::insideOfTree(Value tile) {
  Value inside;
  if (isOwn(tile))
    return inside;
  SmallVector<Operation *> seen;
  plan.forEachInline(tile, [&](Operation *op) {
    if (!isViewRead(op) || llvm::is_contained(seen, op))
      return;
    seen.push_back(op);
    inside =
        both(inside, insideOf(placeOf(op), cast<RankedTensorType>(op->getResult(0).getType())));
  });
  return inside;
}

Value KernelEmitter::flatIn(const Place &place, const Point &p) {
  Value flat = index(0);
  for (size_t d = 0; d < place.start.size(); ++d)
    flat = add(flat, mul(add(place.start[d], p.at[d]), place.view->strides[d]));
  return flat;
}

Value KernelEmitter::maskOf(const Place &place, const Point &p, Value *flat) {
  Value row, lanes, some;
  for (size_t d = 0; d < place.start.size(); ++d) {
    if (place.whole[d])
      continue;
    Value first = add(place.start[d], p.at[d]), extent = place.view->extents[d];
    if (static_cast<int64_t>(d) != p.axis) {
      row = both(row, compare(CmpIPredicate::ult, first, extent)); // negative is large
      continue;
    }
    auto type = VectorType::get({p.lanes}, b.getI1Type());
    auto upTo = [&](Value n) {
      Value count = largest(index(0), smallest(n, index(p.lanes)));
      return vector::CreateMaskOp::create(b, loc, type, ValueRange{count});
    };
    lanes = upTo(sub(extent, first));
    some = compare(CmpIPredicate::slt, first, extent);
    if (place.anywhere) {
      Value before = upTo(sub(index(0), first));
      Value all = arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, true));
      lanes =
          arith::AndIOp::create(b, loc, lanes, Value(arith::XOrIOp::create(b, loc, before, all)));
    }
  }
  if (!p.lanes)
    return row;
  return row ? both(lanes, splat(row, p.lanes)) : lanes;
}

//===-- Vectors in memory ---------------------------------------------------===//

static bool isOne(Value stride) {
  auto constant = getConstantIntValue(stride);
  return constant && *constant == 1;
}

Value KernelEmitter::load(Value memory, Value flat, Value stride, Type element, int64_t lanes,
                          Value mask, Value pad) {
  Type storage = storageOf(element);
  auto fromStorage = [&](Value v) -> Value {
    if (storage == element)
      return v;
    return arith::CmpIOp::create(b, loc, CmpIPredicate::ne, v, zero(v.getType()));
  };
  if (!lanes) {
    Value at = mask ? Value(arith::SelectOp::create(b, loc, mask, flat, index(0))) : flat;
    Value v = fromStorage(memref::LoadOp::create(b, loc, memory, at));
    return mask ? Value(arith::SelectOp::create(b, loc, mask, v, pad)) : v;
  }
  auto type = VectorType::get({lanes}, storage);
  Value passed = zero(type);
  if (mask && storage == element)
    passed = splat(pad, lanes);
  Value v;
  if (!isOne(stride)) {
    Value steps = vector::StepOp::create(b, loc, VectorType::get({lanes}, b.getIndexType()));
    Value places = mul(steps, splat(stride, lanes));
    Value all = mask;
    if (!all)
      all = arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), true));
    v = vector::GatherOp::create(b, loc, type, memory, ValueRange{flat}, places, all, passed);
  } else if (mask) {
    v = vector::MaskedLoadOp::create(b, loc, type, memory, ValueRange{flat}, mask, passed);
  } else {
    v = vector::LoadOp::create(b, loc, type, memory, ValueRange{flat});
  }
  v = fromStorage(v);
  if (mask && storage != element)
    v = arith::SelectOp::create(b, loc, mask, v, splat(pad, lanes));
  return v;
}

void KernelEmitter::store(Value value, Value memory, Value flat, Value stride, Type element,
                          int64_t lanes, Value mask) {
  Type storage = storageOf(element);
  if (storage != element)
    value = arith::ExtUIOp::create(
        b, loc, lanes ? Type(VectorType::get({lanes}, storage)) : storage, value);
  if (!lanes) {
    auto write = [&] { memref::StoreOp::create(b, loc, value, memory, flat); };
    return mask ? when(mask, write) : write();
  }
  if (!isOne(stride)) {
    Value steps = vector::StepOp::create(b, loc, VectorType::get({lanes}, b.getIndexType()));
    Value places = mul(steps, splat(stride, lanes));
    Value all = mask;
    if (!all)
      all = arith::ConstantOp::create(
          b, loc, DenseElementsAttr::get(VectorType::get({lanes}, b.getI1Type()), true));
    vector::ScatterOp::create(b, loc, Type(), memory, ValueRange{flat}, places, all, value);
  } else if (mask) {
    vector::MaskedStoreOp::create(b, loc, memory, ValueRange{flat}, mask, value);
  } else {
    vector::StoreOp::create(b, loc, value, memory, ValueRange{flat});
  }
}

Value KernelEmitter::readBuffer(const Buffer &buffer, const Point &p) {
  Value flat = index(0);
  for (auto [at, stride] : llvm::zip_equal(p.at, buffer.strides))
    flat = add(flat, mul(at, index(stride)));
  Value stride = p.lanes ? index(buffer.strides[static_cast<size_t>(p.axis)]) : Value();
  if (p.lanes > 1 && buffer.strides[static_cast<size_t>(p.axis)] == 2 &&
      !buffer.element.isInteger(1)) {
    // Each second element of two vectors, of which the last one ends with what is asked for.
    Value low = load(buffer.memory, flat, index(1), buffer.element, p.lanes, {}, {});
    Value high = load(buffer.memory, add(flat, index(p.lanes - 1)), index(1), buffer.element,
                      p.lanes, {}, {});
    SmallVector<int64_t> places;
    for (int64_t l = 0; l < p.lanes; ++l)
      places.push_back(2 * l < p.lanes ? 2 * l : 2 * l + 1);
    return vector::ShuffleOp::create(b, loc, low, high, places);
  }
  return load(buffer.memory, flat, stride, buffer.element, p.lanes, {}, {});
}

void KernelEmitter::writeBuffer(const Buffer &buffer, const Point &p, Value value) {
  Value flat = index(0);
  for (auto [at, stride] : llvm::zip_equal(p.at, buffer.strides))
    flat = add(flat, mul(at, index(stride)));
  Value stride = p.lanes ? index(buffer.strides[static_cast<size_t>(p.axis)]) : Value();
  store(value, buffer.memory, flat, stride, buffer.element, p.lanes, {});
}

//===-- Reads ---------------------------------------------------------------===//

static std::optional<TypedAttr> padOf(Operation *read) {
  if (auto load = dyn_cast<LoadOp>(read))
    return load.getPad();
  if (auto window = dyn_cast<WindowOp>(read))
    return window.getPad();
  return cast<GatherOp>(read).getPad();
}

Value KernelEmitter::addressOf(const View &view, Value flat) {
  Value at = arith::IndexCastOp::create(b, loc, b.getI64Type(), flat);
  return LLVM::GEPOp::create(b, loc, view.pointer.getType(), view.type.getElementType(),
                             view.pointer, ValueRange{at});
}

/// What lies farther ahead goes to the second level: in the first it would push out what is read
/// before it.
static constexpr int64_t kNearBytes = 8 << 10;

/// Lines are fetched at least this far ahead: memory takes longer than what is computed from a
/// small tile. A tile's rows are streams, of which each line is, from kLongTile elements on.
static constexpr int64_t kStreamBytes = 2 << 10, kAheadBytes = 8 << 10, kLongTile = 1024;

/// A fetch may name any address: beyond the view's end nothing happens.
void KernelEmitter::fetchAhead(Operation *op, const Place &place, Value flat) {
  auto load = dyn_cast<LoadOp>(op);
  if (!load || !fetches || place.view->type.getElementType().isInteger(1))
    return;
  const int64_t bytes = place.view->type.getElementType().getIntOrFloatBitWidth() / 8;
  ArrayRef<int64_t> shape = load.getResult().getType().getShape();
  Value step;
  if (load.getAhead()) {
    const int64_t extent = shape[*load.getAhead()];
    const auto stride = place.view->strideDims[*load.getAhead()].constant();
    const int64_t least = stride && *stride > 0 ? *stride * extent * bytes : kAheadBytes;
    step = mul(index(extent * int64_t(llvm::divideCeil(kAheadBytes, least))),
               place.view->strides[*load.getAhead()]);
  } else if (streaming && isOne(place.view->strides.back()) && shape.back() >= kLongTile) {
    step = index(kStreamBytes / bytes);
  } else {
    return;
  }
  Value address = addressOf(*place.view, add(flat, step));
  Value isNear = compare(CmpIPredicate::sle, step, index(kNearBytes / bytes));
  versions(isNear, [&](bool first) { // the arguments of LLVM's prefetch: reads, level, data
    LLVM::Prefetch::create(b, loc, address, 0, first ? 3 : 2, 1);
  });
}

void KernelEmitter::fetchAllAhead(LoadOp op) {
  if (!op.getAhead())
    return;
  Place place = placeOf(op);
  ArrayRef<int64_t> shape = op.getResult().getType().getShape();
  nest(shape, lanesFor(shape, op.getResult()), {},
       [&](const Point &p) { fetchAhead(op, place, flatIn(place, p)); });
}

Value KernelEmitter::readView(Operation *op, const Point &p) {
  if (auto gather = dyn_cast<GatherOp>(op))
    return readGathered(gather, p);
  Place place = placeOf(op);
  Type element = place.view->type.getElementType();
  Value flat = flatIn(place, p), pad;
  if (p.lanes)
    fetchAhead(op, place, flat);
  Value mask = p.inside ? Value() : maskOf(place, p, &flat);
  if (mask)
    pad = arith::ConstantOp::create(b, loc, padOf(op).value_or(b.getZeroAttr(element)));
  Value stride = p.lanes ? place.view->strides[static_cast<size_t>(p.axis)] : Value();
  return load(place.view->memory, flat, stride, element, p.lanes, mask, pad);
}

Value KernelEmitter::readGathered(GatherOp op, const Point &p) {
  if (p.axis == 0)
    return evalByElement(op.getResult(), p);
  Place place = placeOf(op);
  Type element = place.view->type.getElementType();
  Value row = evalElement(op.getRows(), {p.at[0]}, p.inside);
  if (!row.getType().isIndex())
    row = arith::IndexCastOp::create(b, loc, b.getIndexType(), row);
  Value known = compare(CmpIPredicate::ult, row, place.view->extents[0]);
  Point at = p;
  at.at[0] = arith::SelectOp::create(b, loc, known, row, index(0));
  Value mask = p.inside ? Value() : maskOf(place, at);
  mask = mask ? both(mask, splat(known, p.lanes)) : splat(known, p.lanes);
  Value pad = arith::ConstantOp::create(b, loc, padOf(op).value_or(b.getZeroAttr(element)));
  Value stride = p.lanes ? place.view->strides[static_cast<size_t>(p.axis)] : Value();
  return load(place.view->memory, flatIn(place, at), stride, element, p.lanes, mask, pad);
}

void KernelEmitter::emitGatherCheck(GatherOp op) {
  Value extent = views[cast<BlockArgument>(op.getView()).getArgNumber()].extents[0];
  Point like; // one row at a time
  versions(insideOfTree(op.getRows()), [&](bool inside) {
    like.inside = inside;
    nest(op.getRows().getType().getShape(), like, {}, [&](const Point &p) {
      Value row = eval(op.getRows(), p);
      if (!row.getType().isIndex())
        row = arith::IndexCastOp::create(b, loc, b.getIndexType(), row);
      fail(op, compare(CmpIPredicate::uge, row, extent));
    });
  });
}

void KernelEmitter::emitRead(ReadOp op) {
  const View &view = views[cast<BlockArgument>(op.getView()).getArgNumber()];
  Value flat = index(0);
  for (auto [at, stride] : llvm::zip_equal(op.getIndices(), view.strides))
    flat = add(flat, mul(scalar(at), stride));
  scalars.map(op.getResult(), load(view.memory, flat, {}, view.type.getElementType(), 0, {}, {}));
}

//===-- Writes --------------------------------------------------------------===//

void KernelEmitter::emitStore(StoreOp op) {
  RankedTensorType type = op.getValue().getType();
  Place place = placeOf(op, op.getView(), type, op.getIndices());
  Point lanes = lanesFor(type.getShape(), op.getValue());
  auto turn = turnOf(op.getValue(), lanes);
  if (!turn)
    return storeLines(op, place, lanes);
  versions(both(insideOfTree(op.getValue()), insideOf(place, type)), [&](bool inside) {
    if (inside)
      storeTurned(op, place, *turn);
    else
      storeLines(op, place, lanes);
  });
}

/// Views from this size on are beyond the caches.
static constexpr int64_t kLargeBytes = int64_t(16) << 20, kLineBytes = 64;

Value KernelEmitter::bypassesCaches(const Place &place, const Point &lanes, RankedTensorType type) {
  const View &view = *place.view;
  const int64_t bytes = view.type.getElementType().getIntOrFloatBitWidth() / 8; // 0: truth values
  if (lanes.axis < 0 || lanes.lanes * bytes != kLineBytes || place.anywhere)
    return {};
  const auto along = static_cast<size_t>(lanes.axis);
  if (!isOne(view.strides[along]) ||
      type.getDimSize(static_cast<unsigned>(lanes.axis)) * bytes % kLineBytes)
    return {};
  Value elems = index(bytes), answer;
  for (auto [d, extent] : llvm::enumerate(view.extents)) {
    elems = mul(elems, extent);
    if (d != along)
      answer = both(answer, compare(arith::CmpIPredicate::eq,
                                    rem(mul(view.strides[d], index(bytes)), kLineBytes), index(0)));
  }
  return both(answer, compare(arith::CmpIPredicate::sge, elems, index(kLargeBytes)));
}

void KernelEmitter::storeVector(Value value, const Place &place, const Point &p, bool bypass) {
  Type element = place.view->type.getElementType();
  Value flat = flatIn(place, p);
  if (!bypass)
    return store(value, place.view->memory, flat,
                 p.lanes ? place.view->strides[static_cast<size_t>(p.axis)] : Value(), element,
                 p.lanes, {});
  LLVM::StoreOp::create(b, loc, value, addressOf(*place.view, flat), kLineBytes,
                        /*isVolatile=*/false,
                        /*isNonTemporal=*/true);
}

void KernelEmitter::bypassing(Value bypasses, function_ref<void(bool)> emit) {
  if (!bypasses)
    return emit(false);
  needsFence = true;
  versions(bypasses, emit);
}

void KernelEmitter::storeLines(StoreOp op, const Place &place, const Point &lanes) {
  RankedTensorType type = op.getValue().getType();
  Type element = type.getElementType();
  // Loops end where the view does; only along the lanes a mask is needed.
  SmallVector<int64_t> limited;
  Values limits(type.getShape().size());
  for (size_t d = 0; d < limits.size(); ++d)
    if (!place.whole[d] && static_cast<int64_t>(d) != lanes.axis) {
      limited.push_back(static_cast<int64_t>(d));
      limits[d] = smallest(sub(place.view->extents[d], place.start[d]),
                           index(type.getDimSize(static_cast<unsigned>(d))));
    }
  versions(both(insideOfTree(op.getValue()), insideOf(place, type, limited)), [&](bool inside) {
    Point like = lanes;
    like.inside = inside;
    if (inside)
      return bypassing(bypassesCaches(place, like, type), [&](bool bypass) {
        // Of an output beyond the caches the operands are so, too.
        streaming = bypass && type.getDimSize(static_cast<unsigned>(like.axis)) >= kLongTile;
        nest(type.getShape(), like, limits,
             [&](const Point &p) { storeVector(eval(op.getValue(), p), place, p, bypass); });
        streaming = false;
      });
    Values ends = limits;
    if (like.axis >= 0 && !place.whole[static_cast<size_t>(like.axis)]) {
      const auto along = static_cast<size_t>(like.axis);
      ends[along] = sub(place.view->extents[along], place.start[along]);
    }
    nest(type.getShape(), like, ends, [&](const Point &p) {
      Value value = eval(op.getValue(), p);
      Value stride = p.lanes ? place.view->strides[static_cast<size_t>(p.axis)] : Value();
      store(value, place.view->memory, flatIn(place, p), stride, element, p.lanes,
            maskOf(place, p));
    });
  });
}

void KernelEmitter::emitAtomicAdd(AtomicAddOp op) {
  RankedTensorType type = op.getValue().getType();
  Place place = placeOf(op, op.getView(), type, op.getIndices());
  auto kind = isa<FloatType>(type.getElementType()) ? arith::AtomicRMWKind::addf
                                                    : arith::AtomicRMWKind::addi;
  Value value = op.getValue();
  versions(both(insideOfTree(value), insideOf(place, type)), [&](bool inside) {
    Point like;
    like.inside = inside;
    nest(type.getShape(), like, {}, [&](const Point &p) {
      auto addOne = [&] {
        memref::AtomicRMWOp::create(b, loc, kind, eval(value, p), place.view->memory,
                                    ValueRange{flatIn(place, p)});
      };
      Value mask = inside ? Value() : maskOf(place, p);
      if (mask)
        when(mask, addOne);
      else
        addOne();
    });
  });
}

/// Inside an unsafe region: consecutive elements in the order of the view's storage.
void KernelEmitter::emitRaw(Operation *op) {
  auto read = dyn_cast<RawLoadOp>(op);
  auto write = dyn_cast<RawStoreOp>(op);
  Value source = read ? Value(read.getResult()) : Value(write.getValue());
  const View &view =
      views[cast<BlockArgument>(read ? Value(read.getView()) : Value(write.getView()))
                .getArgNumber()];
  auto type = cast<RankedTensorType>(source.getType());
  Value first = scalar(read ? read.getOffset() : write.getOffset());
  Buffer buffer;
  if (read)
    buffer = buffers[source] = allocate(type.getShape(), type.getElementType());
  versions(read ? Value() : insideOfTree(source), [&](bool inside) {
    Point like = lanesFor(type.getShape(), source);
    like.inside = inside;
    nest(type.getShape(), like, {}, [&](const Point &p) {
      Value flat = index(0);
      for (auto [size, at] : llvm::zip_equal(type.getShape(), p.at))
        flat = add(mul(flat, index(size)), at);
      flat = add(first, flat);
      Value stride = index(1);
      int64_t behind = 1;
      if (p.lanes)
        for (int64_t size : type.getShape().drop_front(static_cast<size_t>(p.axis) + 1))
          behind *= size;
      stride = index(behind);
      Type element = type.getElementType();
      if (read)
        writeBuffer(buffer, p, load(view.memory, flat, stride, element, p.lanes, {}, {}));
      else
        store(eval(source, p), view.memory, flat, stride, element, p.lanes, {});
    });
  });
}

} // namespace imbrex::codegen
