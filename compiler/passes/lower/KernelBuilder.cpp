#include "compiler/passes/lower/KernelBuilder.h"

#include "compiler/passes/lower/EmitFunctions.h"

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

Value KernelBuilder::flatOf(Source s) {
  auto key = std::make_pair(unsigned(s.kind), unsigned(s.index));
  if (auto it = flats.find(key); it != flats.end())
    return it->second;
  size_t place = 0;
  bool found = false;
  for (size_t i = 0; i < operands.size() && !found; ++i)
    if (operands[i] == s)
      place = i, found = true;
  for (size_t i = 0; i < results.size() && !found; ++i)
    if (Source{Source::Kind::Def, results[i]} == s)
      place = operands.size() + i, found = true;
  assert(found && "a source that the kernel does not take");
  DimExpr elems = 1;
  for (const auto &e : p.typeOf(s).dims)
    elems = elems * e;
  OpBuilder::InsertionGuard guard(b());
  // Before any use: the descriptor costs nothing once pointers are registers.
  b().setInsertionPointToStart(frame.gridPoint().getParentBlock());
  return flats[key] = frame.flat(place, p.typeOf(s).type, sizes.emit(b(), loc(), elems));
}

void KernelBuilder::open(const std::vector<const Node *> &vars, const std::vector<DimExpr> &extents,
                         const Split &split) {
  outer = split.outer;
  form.bind(vars, extents);
  Value rest = frame.gridPoint();
  auto divMod = [&](const DimExpr &extent) {
    Value size = sizes.emit(b(), loc(), extent);
    Value r = arith::RemUIOp::create(b(), loc(), rest, size);
    rest = arith::DivUIOp::create(b(), loc(), rest, size);
    return r;
  };
  Value start;
  if (split.chunk)
    start = arith::MulIOp::create(
        b(), loc(),
        Value(split.outer == 0 ? rest : divMod(ceilDiv(extents[split.outer], split.chunk))),
        Value(arith::ConstantIndexOp::create(b(), loc(), split.chunk)));
  for (size_t i = split.outer; i-- > 0;) {
    Value v = i == 0 ? rest : divMod(extents[i]);
    gridVars.push_back({vars[i], v});
    terms.bind(vars[i], v);
  }
  for (size_t i = split.outer; i < vars.size(); ++i) {
    Loop l{vars[i], extents[i], sizes.fold(b(), loc(), extents[i]), nullptr, false};
    if (i == split.outer && split.chunk) {
      auto whole = extents[i].constant();
      Value chunk = arith::ConstantIndexOp::create(b(), loc(), split.chunk);
      l.start = start;
      if (whole && *whole % split.chunk == 0)
        l.size = b().getIndexAttr(split.chunk);
      else
        l.size = Value(arith::MinSIOp::create(
            b(), loc(), chunk,
            Value(arith::SubIOp::create(b(), loc(), sizes.emit(b(), loc(), extents[i]), start))));
    }
    loops.push_back(l);
  }
}

Value KernelBuilder::toStorage(OpBuilder &at, Value v, DType type) {
  return type == DType::Bool ? Value(arith::ExtUIOp::create(at, loc(), at.getI8Type(), v)) : v;
}

Value KernelBuilder::fromStorage(OpBuilder &at, Value v, DType type) {
  if (type != DType::Bool)
    return v;
  Value zero = arith::ConstantOp::create(at, loc(), at.getI8IntegerAttr(0));
  return arith::CmpIOp::create(at, loc(), arith::CmpIPredicate::ne, v, zero);
}

/// The part of the result that this grid point writes: contiguous, one dimension per inner parallel
/// loop.
Value KernelBuilder::outView(const Def &d) {
  std::vector<const Node *> at(d.vars.begin(), d.vars.end());
  DimExpr stride = 1;
  SmallVector<OpFoldResult> size, strides;
  for (size_t i = d.vars.size(); i-- > outer;) {
    size.insert(size.begin(), loops[i - outer].size);
    strides.insert(strides.begin(), sizes.fold(b(), loc(), stride));
    stride = stride * d.type.dims[i];
  }
  // The offset: grid indices and the chunk's start; inner indices are 0 there.
  Value offset = arith::ConstantIndexOp::create(b(), loc(), 0);
  auto addPlace = [&](Value index, const DimExpr &by) {
    Value scaled = arith::MulIOp::create(b(), loc(), index, sizes.emit(b(), loc(), by));
    offset = arith::AddIOp::create(b(), loc(), offset, scaled);
  };
  DimExpr by = 1;
  for (size_t i = d.vars.size(); i-- > 0;) {
    if (i < outer)
      addPlace(terms.index(b(), loc(), d.vars[i]), by);
    else if (loops[i - outer].start)
      addPlace(loops[i - outer].start, by);
    by = by * d.type.dims[i];
  }
  Value flat = flatOf({Source::Kind::Def, results[0]});
  return memref::ReinterpretCastOp::create(b(), loc(), flat, OpFoldResult(offset), size, strides);
}

/// A strided view for a read whose every index is one inner loop's index or none of theirs; null
/// otherwise.
Value KernelBuilder::viewOf(const Node *read, SmallVectorImpl<unsigned> &ofRead) {
  const TensorType &type = p.typeOf(read->source);
  SmallVector<int> loopOf(read->args.size(), -1);
  std::vector<const Node *> at;
  for (size_t i = 0; i < read->args.size(); ++i) {
    const Node *ix = form.simplify(read->args[i]);
    at.push_back(ix);
    if (!form.inBounds(ix, type.dims[i]))
      return nullptr;
    bool inner = false;
    walk(ix, [&](const Node *n) {
      for (const Loop &l : loops)
        inner |= n == l.var;
      // A read inside an index may depend on anything.
      inner |= n->kind == TermKind::IxRead;
    });
    if (!inner)
      continue;
    for (size_t k = 0; k < loops.size(); ++k)
      if (ix == loops[k].var)
        loopOf[i] = static_cast<int>(k);
    if (loopOf[i] < 0 || llvm::count(loopOf, loopOf[i]) > 1)
      return nullptr;
  }
  Value offset = arith::ConstantIndexOp::create(b(), loc(), 0);
  SmallVector<OpFoldResult> size, strides;
  DimExpr by = 1;
  for (size_t i = read->args.size(); i-- > 0;) {
    Value part;
    if (loopOf[i] < 0)
      part = terms.index(b(), loc(), at[i]);
    else {
      part = loops[loopOf[i]].start;
      size.insert(size.begin(), loops[loopOf[i]].size);
      strides.insert(strides.begin(), sizes.fold(b(), loc(), by));
      ofRead.insert(ofRead.begin(), static_cast<unsigned>(loopOf[i]));
    }
    if (part)
      offset = arith::AddIOp::create(
          b(), loc(), offset,
          Value(arith::MulIOp::create(b(), loc(), part, sizes.emit(b(), loc(), by))));
    by = by * type.dims[i];
  }
  return memref::ReinterpretCastOp::create(b(), loc(), flatOf(read->source), OpFoldResult(offset),
                                           size, strides);
}

void KernelBuilder::bindInside(OpBuilder &inside) {
  terms.forget();
  for (auto [var, v] : gridVars)
    terms.bind(var, v);
  for (size_t k = 0; k < loops.size(); ++k) {
    Value i = linalg::IndexOp::create(inside, loc(), k);
    if (loops[k].start)
      i = arith::AddIOp::create(inside, loc(), i, loops[k].start);
    terms.bind(loops[k].var, i);
  }
}

/// The linalg operation over `loops`: mapped operands where a read walks a loop nest plainly, loads
/// at computed places otherwise.
linalg::GenericOp KernelBuilder::generic(const Node *root, Value out, ArrayRef<unsigned> outLoops,
                                         function_ref<Value(OpBuilder &, Value)> body) {
  auto *context = b().getContext();
  const unsigned n = static_cast<unsigned>(loops.size());
  auto mapOf = [&](ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> results;
    for (unsigned d : dims)
      results.push_back(getAffineDimExpr(d, context));
    return AffineMap::get(n, 0, results, context);
  };
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<const Node *> mapped;
  llvm::SmallBitVector bound(n);
  for (unsigned d : outLoops)
    bound.set(d);
  std::vector<const Node *> reads;
  walk(root, [&](const Node *node) {
    if (node->kind == TermKind::VRead)
      reads.push_back(node);
  });
  for (const Node *r : reads) {
    SmallVector<unsigned> dims;
    if (Value view = viewOf(r, dims)) {
      inputs.push_back(view);
      maps.push_back(mapOf(dims));
      mapped.push_back(r);
      for (unsigned d : dims)
        bound.set(d);
    }
  }
  // A window operand gives the extents of loops that no other operand walks; it is never read.
  if (!bound.all()) {
    SmallVector<unsigned> dims;
    SmallVector<OpFoldResult> size, strides;
    for (unsigned d = 0; d < n; ++d)
      if (!bound.test(d)) {
        dims.push_back(d);
        size.push_back(loops[d].size);
        strides.push_back(b().getIndexAttr(0));
      }
    Value flat = flatOf({Source::Kind::Def, results.empty() ? 0 : results[0]});
    inputs.push_back(memref::ReinterpretCastOp::create(
        b(), loc(), flat, OpFoldResult(b().getIndexAttr(0)), size, strides));
    maps.push_back(mapOf(dims));
  }
  maps.push_back(mapOf(outLoops));
  SmallVector<utils::IteratorType> kinds;
  for (const Loop &l : loops)
    kinds.push_back(l.reduction ? utils::IteratorType::reduction : utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b(), loc(), inputs, ValueRange{out}, maps, kinds,
      [&](OpBuilder &inside, Location, ValueRange args) {
        bindInside(inside);
        for (size_t i = 0; i < mapped.size(); ++i)
          terms.bindRead(mapped[i], fromStorage(inside, args[i], p.typeOf(mapped[i]->source).type));
        linalg::YieldOp::create(inside, loc(), body(inside, args.back()));
      });
}

void KernelBuilder::map(const Def &d) {
  SmallVector<unsigned> all;
  for (unsigned i = 0; i < loops.size(); ++i)
    all.push_back(i);
  generic(d.body, outView(d), all, [&](OpBuilder &inside, Value) {
    return toStorage(inside, terms.scalar(inside, loc(), d.body), d.type.type);
  });
}

} // namespace imbrex::lower
