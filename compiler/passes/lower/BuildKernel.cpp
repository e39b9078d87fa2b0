#include "compiler/passes/lower/BuildKernel.h"

#include "compiler/passes/lower/Compose.h"
#include "compiler/passes/lower/EmitFunctions.h"
#include "compiler/passes/lower/EmitTerm.h"
#include "compiler/passes/lower/KernelFrame.h"
#include "compiler/passes/lower/PackContraction.h"

#include <set>

namespace imbrex::lower {

using namespace mlir;
using namespace opmeaning;

namespace {

bool isReadNode(const Node *n) { return n->kind == TermKind::VRead || n->kind == TermKind::IxRead; }

/// Which parallel indices the grid takes, and how the first inner one is cut.
struct Split {
  size_t outer = 0;  // indices [0, outer) are grid indices
  int64_t chunk = 0; // > 0: index `outer` is cut into chunks of this many
  DimExpr grid = 1;
};

/// About this much work, in scalar operations, makes one grid point.
constexpr int64_t kPointWork = 32768;

Split chooseSplit(const std::vector<DimExpr> &extents, int64_t work) {
  Split s;
  s.outer = extents.size();
  while (s.outer > 0) {
    auto size = extents[s.outer - 1].constant();
    if (size && work * std::max<int64_t>(*size, 1) <= kPointWork) {
      work *= std::max<int64_t>(*size, 1);
      --s.outer;
      continue;
    }
    int64_t chunk = std::max<int64_t>(1, kPointWork / work);
    if (size)
      chunk = std::min(chunk, *size);
    if (chunk > 1) {
      if (chunk >= 16)
        chunk = chunk / 16 * 16;
      --s.outer;
      s.chunk = chunk;
    }
    break;
  }
  for (size_t i = 0; i < s.outer; ++i)
    s.grid = s.grid * extents[i];
  if (s.chunk)
    s.grid = s.grid * ceilDiv(extents[s.outer], s.chunk);
  return s;
}

/// A loop of the inner space.
struct Loop {
  const Node *var;
  DimExpr extent;    // of the whole index
  OpFoldResult size; // of this grid point's part
  Value start;       // null: 0
  bool reduction;
};

class Builder {
public:
  Builder(ModuleOp module, Program &p, const DimFacts &facts, StringRef name,
          std::vector<Source> operands, std::vector<uint32_t> results,
          std::vector<std::string> symbols)
      : p(p), form(p, facts), operands(std::move(operands)), results(std::move(results)),
        frame(module, name, this->operands.size() + this->results.size(), symbols),
        sizes([this](StringRef s) { return frame.symbol(s); }),
        terms(p, form, sizes, [this](Source s) { return memory(s); }) {}

  void open(const std::vector<const Node *> &vars, const std::vector<DimExpr> &extents,
            const Split &split);
  void map(const Def &d);
  void reduce(const Def &d);
  void best(const Def &d);
  void packedProduct(const Def &d);
  void check(const Require &r);
  void close() { frame.close(); }

private:
  OpBuilder &b() { return frame.builder(); }
  Location loc() { return frame.loc(); }
  Value flatOf(Source s);
  Value memory(Source s) { return flatOf(s); }
  Value outView(const Def &d);
  Value viewOf(const Node *read, SmallVectorImpl<unsigned> &loopsOfRead);
  void bindInside(OpBuilder &inside);
  linalg::GenericOp generic(const Node *root, Value out, ArrayRef<unsigned> outLoops,
                            function_ref<Value(OpBuilder &, Value acc)> body);
  Value toStorage(OpBuilder &at, Value v, DType type);
  Value fromStorage(OpBuilder &at, Value v, DType type);
  Value identity(OpBuilder &at, const Node *reduce);
  void reductionLoops(const Node *root);

  Program &p;
  IndexForm form;
  std::vector<Source> operands;
  std::vector<uint32_t> results;
  KernelFrame frame;
  SizeEmitter sizes;
  TermEmitter terms;
  DenseMap<std::pair<unsigned, unsigned>, Value> flats;
  std::vector<Loop> loops;
  SmallVector<std::pair<const Node *, Value>> gridVars;
  size_t outer = 0;
};

Value Builder::flatOf(Source s) {
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

void Builder::open(const std::vector<const Node *> &vars, const std::vector<DimExpr> &extents,
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

Value Builder::toStorage(OpBuilder &at, Value v, DType type) {
  return type == DType::Bool ? Value(arith::ExtUIOp::create(at, loc(), at.getI8Type(), v)) : v;
}

Value Builder::fromStorage(OpBuilder &at, Value v, DType type) {
  if (type != DType::Bool)
    return v;
  Value zero = arith::ConstantOp::create(at, loc(), at.getI8IntegerAttr(0));
  return arith::CmpIOp::create(at, loc(), arith::CmpIPredicate::ne, v, zero);
}

/// The part of the result that this grid point writes: contiguous, one dimension per inner parallel
/// loop.
Value Builder::outView(const Def &d) {
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
Value Builder::viewOf(const Node *read, SmallVectorImpl<unsigned> &ofRead) {
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

void Builder::bindInside(OpBuilder &inside) {
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
linalg::GenericOp Builder::generic(const Node *root, Value out, ArrayRef<unsigned> outLoops,
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

void Builder::map(const Def &d) {
  SmallVector<unsigned> all;
  for (unsigned i = 0; i < loops.size(); ++i)
    all.push_back(i);
  generic(d.body, outView(d), all, [&](OpBuilder &inside, Value) {
    return toStorage(inside, terms.scalar(inside, loc(), d.body), d.type.type);
  });
}

Value Builder::identity(OpBuilder &at, const Node *r) {
  DType t = r->type;
  bool floats = isFloat(t);
  switch (r->red) {
  case Red::Sum:
  case Red::Or:
    return emitConstant(at, loc(), t, 0, 0);
  case Red::Prod:
  case Red::And:
    return emitConstant(at, loc(), t, 1, 1);
  case Red::Max:
  case Red::Min: {
    bool most = r->red == Red::Max;
    if (floats)
      return emitConstant(at, loc(), t, most ? -INFINITY : INFINITY, 0);
    if (t == DType::Bool)
      return emitConstant(at, loc(), t, 0, most ? 0 : 1);
    unsigned width = static_cast<unsigned>(byteSize(t) * 8);
    APInt v = isUnsignedInt(t)
                  ? (most ? APInt(width, 0) : APInt::getMaxValue(width))
                  : (most ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
    return arith::ConstantOp::create(at, loc(), IntegerAttr::get(at.getIntegerType(width), v));
  }
  }
  return nullptr;
}

FnId combiner(Red r) {
  switch (r) {
  case Red::Sum:
    return FnId::Add;
  case Red::Prod:
    return FnId::Mul;
  case Red::Max:
    return FnId::Max;
  case Red::Min:
    return FnId::Min;
  case Red::And:
    return FnId::And;
  case Red::Or:
    return FnId::Or;
  }
  return FnId::Add;
}

/// Adds the reduction loops inside or outside the last parallel one: outside when more reads are
/// contiguous along the parallel index than along the reduced one, so that the inner loop still has
/// unit stride.
void Builder::reductionLoops(const Node *r) {
  form.bind(r->vars, r->extents);
  std::vector<Loop> reduced;
  for (size_t i = 0; i < r->vars.size(); ++i)
    reduced.push_back(
        {r->vars[i], r->extents[i], sizes.fold(b(), loc(), r->extents[i]), nullptr, true});
  int along = 0;
  if (!loops.empty() && !reduced.empty())
    walk(r->args[1], [&](const Node *n) {
      if (!isReadNode(n) || n->args.empty())
        return;
      const Node *last = form.simplify(n->args.back());
      bool par = false, red = false;
      walk(last, [&](const Node *v) {
        par |= v == loops.back().var;
        red |= v == reduced.back().var;
      });
      along += par ? 1 : red ? -1 : 0;
    });
  auto extent = loops.empty() ? std::nullopt : loops.back().extent.constant();
  bool inside = along > 0 && (!extent || *extent >= 8);
  loops.insert(inside ? loops.end() - 1 : loops.end(), reduced.begin(), reduced.end());
}

/// Floating-point sums may be reassociated: the contract of contractions and reductions.
void allowReassociation(linalg::GenericOp op) {
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  op.getBody()->walk([&](Operation *inner) {
    if (auto fast = dyn_cast<arith::ArithFastMathInterface>(inner))
      if (isa<arith::AddFOp, arith::MulFOp>(inner))
        inner->setAttr(fast.getFastMathAttrName(),
                       arith::FastMathFlagsAttr::get(inner->getContext(), flags));
  });
}

void Builder::reduce(const Def &d) {
  const Node *r = d.body;
  Value out = outView(d);
  linalg::FillOp::create(b(), loc(), ValueRange{toStorage(b(), identity(b(), r), d.type.type)},
                         ValueRange{out});
  reductionLoops(r);
  SmallVector<unsigned> outLoops;
  for (unsigned i = 0; i < loops.size(); ++i)
    if (!loops[i].reduction)
      outLoops.push_back(i);
  auto op = generic(r->args[1], out, outLoops, [&](OpBuilder &inside, Value stored) {
    Value acc = fromStorage(inside, stored, d.type.type);
    Value term = terms.scalar(inside, loc(), r->args[1]);
    term = emitCast(inside, loc(), term, r->args[1]->type, r->type);
    const Node *where = form.simplifyGuard(r->args[0]);
    if (form.decide(where) != std::optional(true))
      term = arith::SelectOp::create(inside, loc(), terms.guard(inside, loc(), where), term,
                                     identity(inside, r));
    return toStorage(inside, emitFunction(inside, loc(), combiner(r->red), r->type, {acc, term}),
                     d.type.type);
  });
  allowReassociation(op);
}

/// The winner of a set, kept with its place in registers over a loop nest inside each output point.
void Builder::best(const Def &d) {
  const bool wantsPlace = d.body->kind == TermKind::VFromIx;
  const Node *r = wantsPlace ? d.body->args[0]->args[0] : d.body;
  form.bind(r->vars, r->extents);
  SmallVector<unsigned> all;
  for (unsigned i = 0; i < loops.size(); ++i)
    all.push_back(i);
  const bool most = r->best == Best::Max, first = r->tie == Tie::First;
  auto scan = [&](OpBuilder &at) {
    Node asReduce = *r;
    asReduce.red = most ? Red::Max : Red::Min;
    Value zero = arith::ConstantIndexOp::create(at, loc(), 0),
          one = arith::ConstantIndexOp::create(at, loc(), 1);
    SmallVector<Value> state = {identity(at, &asReduce),
                                arith::ConstantIndexOp::create(at, loc(), -1)};
    SmallVector<scf::ForOp> nest;
    OpBuilder inner = at;
    SmallVector<Value> carried = state;
    for (size_t i = 0; i < r->vars.size(); ++i) {
      Value size = sizes.emit(inner, loc(), r->extents[i]);
      auto loop = scf::ForOp::create(inner, loc(), zero, size, one, carried);
      terms.bind(r->vars[i], loop.getInductionVar());
      carried.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
      nest.push_back(loop);
      inner.setInsertionPointToStart(loop.getBody());
    }
    Value v = terms.scalar(inner, loc(), r->args[1]);
    std::vector<const Node *> at0(r->vars.begin(), r->vars.end());
    Value place = terms.index(inner, loc(), form.flatten(at0, r->extents));
    Value empty = arith::CmpIOp::create(inner, loc(), arith::CmpIPredicate::slt, carried[1], zero);
    DType t = r->args[1]->type;
    Value wins =
        first
            ? emitFunction(inner, loc(), FnId::Lt, t,
                           most ? ArrayRef<Value>{carried[0], v} : ArrayRef<Value>{v, carried[0]})
            : emitFunction(inner, loc(), FnId::Le, t,
                           most ? ArrayRef<Value>{carried[0], v} : ArrayRef<Value>{v, carried[0]});
    if (isFloat(t)) {
      // NaN wins, the first of them by place; nothing beats a NaN.
      Value isNan = emitFunction(inner, loc(), FnId::IsNaN, t, {v});
      Value hadNan = emitFunction(inner, loc(), FnId::IsNaN, t, {carried[0]});
      Value no = arith::ConstantOp::create(inner, loc(), inner.getBoolAttr(false));
      wins = arith::OrIOp::create(inner, loc(), wins, isNan);
      wins = arith::SelectOp::create(inner, loc(), hadNan, no, wins);
    }
    wins = arith::OrIOp::create(inner, loc(), wins, empty);
    const Node *where = form.simplifyGuard(r->args[0]);
    if (form.decide(where) != std::optional(true))
      wins = arith::AndIOp::create(inner, loc(), wins, terms.guard(inner, loc(), where));
    SmallVector<Value> next = {arith::SelectOp::create(inner, loc(), wins, v, carried[0]),
                               arith::SelectOp::create(inner, loc(), wins, place, carried[1])};
    scf::YieldOp::create(inner, loc(), next);
    for (size_t i = nest.size(); i-- > 1;) {
      OpBuilder end = OpBuilder::atBlockEnd(nest[i - 1].getBody());
      scf::YieldOp::create(end, loc(), nest[i].getResults());
    }
    return nest.empty() ? state : SmallVector<Value>(nest[0].getResults());
  };
  // The loop nest holds the reads; none is mapped, so the root is the place-free shell.
  Node shell{.kind = TermKind::VConst};
  shell.type = d.type.type;
  generic(p.intern(shell), outView(d), all, [&](OpBuilder &inside, Value) {
    auto state = scan(inside);
    Value v = state[0];
    if (wantsPlace) {
      Value i = arith::IndexCastOp::create(inside, loc(), inside.getI64Type(), state[1]);
      v = emitCast(inside, loc(), i, DType::I64, d.type.type);
    }
    return toStorage(inside, v, d.type.type);
  });
}

/// One tile: c[mi, ni] = sum(k) a[k, mi] * b[k, ni] over contiguous panels.
void Builder::packedProduct(const Def &d) {
  constexpr int64_t MR = PackedTile::rows, NR = PackedTile::columns;
  const Node *sum = d.body, *mul = sum->args[1];
  const size_t rank = d.vars.size();
  DimExpr depth = sum->extents[0], columns = d.type.dims[rank - 2] * NR;
  Value none = arith::ConstantIndexOp::create(b(), loc(), 0);
  auto at = [&](size_t i) { return terms.index(b(), loc(), d.vars[i]); };
  auto scaled = [&](Value base, Value index, const DimExpr &by) {
    return Value(arith::AddIOp::create(
        b(), loc(), base,
        Value(arith::MulIOp::create(b(), loc(), index, sizes.emit(b(), loc(), by)))));
  };
  Value batch = none;
  for (size_t i = 0; i + 4 < rank; ++i)
    batch = scaled(at(i), batch, d.type.dims[i]);
  Value mo = at(rank - 4), no = at(rank - 2);
  auto panel = [&](const Node *read, Value outer, const DimExpr &outers, int64_t width) {
    Value offset = scaled(outer, batch, outers);
    offset = arith::MulIOp::create(b(), loc(), offset, sizes.emit(b(), loc(), depth * width));
    return Value(memref::ReinterpretCastOp::create(
        b(), loc(), flatOf(read->source), OpFoldResult(offset),
        ArrayRef<OpFoldResult>{sizes.fold(b(), loc(), depth), b().getIndexAttr(width)},
        ArrayRef<OpFoldResult>{b().getIndexAttr(width), b().getIndexAttr(1)}));
  };
  Value a = panel(mul->args[0], mo, d.type.dims[rank - 4], MR);
  Value w = panel(mul->args[1], no, d.type.dims[rank - 2], NR);
  Value row = scaled(mo, batch, d.type.dims[rank - 4]);
  Value offset = scaled(
      arith::MulIOp::create(b(), loc(), no, Value(arith::ConstantIndexOp::create(b(), loc(), NR))),
      row, columns * MR);
  Value c = memref::ReinterpretCastOp::create(
      b(), loc(), flatOf({Source::Kind::Def, results[0]}), OpFoldResult(offset),
      ArrayRef<OpFoldResult>{b().getIndexAttr(MR), b().getIndexAttr(NR)},
      ArrayRef<OpFoldResult>{sizes.fold(b(), loc(), columns), b().getIndexAttr(1)});
  Value zero = emitConstant(b(), loc(), DType::F32, 0, 0);
  linalg::FillOp::create(b(), loc(), ValueRange{zero}, ValueRange{c});
  auto *ctx = b().getContext();
  AffineExpr k = getAffineDimExpr(0, ctx), mi = getAffineDimExpr(1, ctx),
             ni = getAffineDimExpr(2, ctx);
  SmallVector<AffineMap> maps = {AffineMap::get(3, 0, {k, mi}, ctx),
                                 AffineMap::get(3, 0, {k, ni}, ctx),
                                 AffineMap::get(3, 0, {mi, ni}, ctx)};
  auto par = utils::IteratorType::parallel;
  auto op = linalg::GenericOp::create(
      b(), loc(), ValueRange{a, w}, ValueRange{c}, maps,
      ArrayRef<utils::IteratorType>{utils::IteratorType::reduction, par, par},
      [&](OpBuilder &in, Location l, ValueRange v) {
        Value x = arith::MulFOp::create(in, l, v[0], v[1]);
        linalg::YieldOp::create(in, l, Value(arith::AddFOp::create(in, l, v[2], x)));
      });
  op->setAttr(kPackedProduct, b().getUnitAttr());
}

/// Any point where the guard fails marks this grid point as bad.
void Builder::check(const Require &r) {
  Value zero = arith::ConstantIndexOp::create(b(), loc(), 0),
        one = arith::ConstantIndexOp::create(b(), loc(), 1);
  Value bad = arith::ConstantOp::create(b(), loc(), b().getBoolAttr(false));
  Value size = sizes.emit(b(), loc(), r.extents.empty() ? DimExpr(1) : r.extents.back());
  auto loop = scf::ForOp::create(b(), loc(), zero, size, one, ValueRange{bad});
  OpBuilder inner = OpBuilder::atBlockBegin(loop.getBody());
  if (!r.vars.empty())
    terms.bind(r.vars.back(), loop.getInductionVar());
  Value holds = terms.guard(inner, loc(), form.simplifyGuard(r.guard));
  Value yes = arith::ConstantOp::create(inner, loc(), inner.getBoolAttr(true));
  Value fails = arith::XOrIOp::create(inner, loc(), holds, yes);
  scf::YieldOp::create(
      inner, loc(),
      ValueRange{arith::OrIOp::create(inner, loc(), loop.getRegionIterArgs()[0], fails)});
  frame.failIf(loop.getResult(0), 0);
}

/// Operands in order of first read, and the symbols that sizes and indices mention.
void collect(const Node *root, std::vector<Source> &operands, std::set<std::string> &symbols) {
  auto use = [&](const DimExpr &e) {
    for (auto &s : e.symbols())
      symbols.insert(s);
  };
  walk(root, [&](const Node *n) {
    use(n->dim);
    for (const auto &e : n->extents)
      use(e);
    if (isReadNode(n) && std::find(operands.begin(), operands.end(), n->source) == operands.end())
      operands.push_back(n->source);
  });
}

} // namespace

KernelRecord buildKernel(ModuleOp module, Program &p, uint32_t index, const DimFacts &facts,
                         StringRef name) {
  {
    IndexForm form(p, facts);
    form.bind(p.defs[index].vars, p.defs[index].type.dims);
    p.defs[index].body = form.simplifyScalar(p.defs[index].body);
  }
  const Def d = p.defs[index];
  KernelRecord record;
  record.name = name.str();
  record.results = {index};
  std::set<std::string> symbols;
  collect(d.body, record.operands, symbols);
  auto use = [&](const TensorType &t) {
    for (const auto &e : t.dims)
      for (auto &s : e.symbols())
        symbols.insert(s);
  };
  use(d.type);
  for (Source s : record.operands)
    use(p.typeOf(s));
  record.symbols.assign(symbols.begin(), symbols.end());

  const bool product = isPackedProduct(p, d);
  const bool isBest =
      d.body->kind == TermKind::VBest ||
      (d.body->kind == TermKind::VFromIx && d.body->args[0]->kind == TermKind::IxPlace);
  int64_t work = std::max<int64_t>(1, bodyCost(d.body));
  DimExpr points = 1;
  for (const auto &e : d.type.dims)
    points = points * e;
  walk(d.body, [&](const Node *n) {
    if (n->kind == TermKind::VReduce || n->kind == TermKind::VBest)
      for (const auto &e : n->extents) {
        work =
            std::min<int64_t>(kPointWork, work * std::max<int64_t>(1, e.constant().value_or(256)));
        points = points * e;
      }
  });
  record.flops =
      points.constant().value_or(0) * (product ? 2 : std::max<int64_t>(1, bodyCost(d.body)));

  Split split;
  std::vector<DimExpr> extents = d.type.dims;
  std::vector<const Node *> vars = d.vars;
  if (product) {
    // The grid walks (batch…, no, mo): one panel of columns stays in the cache while rows pass by.
    const size_t r = vars.size();
    std::vector<const Node *> gridVars(vars.begin(), vars.end() - 4);
    std::vector<DimExpr> gridExtents(extents.begin(), extents.end() - 4);
    gridVars.insert(gridVars.end(), {vars[r - 2], vars[r - 4]});
    gridExtents.insert(gridExtents.end(), {extents[r - 2], extents[r - 4]});
    vars = gridVars;
    extents = gridExtents;
    split.outer = vars.size();
    for (const auto &e : extents)
      split.grid = split.grid * e;
  } else {
    split = chooseSplit(extents, work);
  }
  record.grid = split.grid;

  Builder builder(module, p, facts, name, record.operands, record.results, record.symbols);
  builder.open(vars, extents, split);
  if (product)
    builder.packedProduct(d);
  else if (isBest)
    builder.best(d);
  else if (d.body->kind == TermKind::VReduce)
    builder.reduce(d);
  else
    builder.map(d);
  builder.close();
  return record;
}

KernelRecord buildCheck(ModuleOp module, Program &p, const Require &require, const DimFacts &facts,
                        StringRef name) {
  KernelRecord record;
  record.name = name.str();
  record.checks = {require.why};
  std::set<std::string> symbols;
  collect(require.guard, record.operands, symbols);
  for (const auto &e : require.extents)
    for (auto &s : e.symbols())
      symbols.insert(s);
  for (Source s : record.operands)
    for (const auto &e : p.typeOf(s).dims)
      for (auto &t : e.symbols())
        symbols.insert(t);
  record.symbols.assign(symbols.begin(), symbols.end());
  Split split;
  split.outer = require.extents.empty() ? 0 : require.extents.size() - 1;
  for (size_t i = 0; i < split.outer; ++i)
    split.grid = split.grid * require.extents[i];
  record.grid = split.grid;
  Builder builder(module, p, facts, name, record.operands, {}, record.symbols);
  builder.open(require.vars, require.extents, split);
  builder.check(require);
  builder.close();
  return record;
}

void splitAccumulators(Program &p) {
  std::vector<Def> out;
  std::vector<uint32_t> place(p.defs.size());
  auto moved = [&](const Node *r, std::vector<const Node *> at) {
    Node copy = *r;
    copy.args = std::move(at);
    if (r->source.kind == Source::Kind::Def)
      copy.source.index = place[r->source.index];
    return p.intern(std::move(copy));
  };
  for (size_t i = 0; i < p.defs.size(); ++i) {
    Def d = p.defs[i];
    d.body = rewriteTerm(p, d.body, {}, moved);
    if (d.body->kind == TermKind::VReduce && d.body->accumulator != DType::Invalid &&
        d.body->accumulator != d.body->type) {
      Def wide = d;
      wide.name += ".acc";
      wide.type.type = d.body->accumulator;
      Node sum = *d.body;
      sum.type = sum.accumulator;
      wide.body = p.intern(std::move(sum));
      for (auto &v : d.vars)
        v = p.variable();
      Node read{.kind = TermKind::VRead};
      read.type = wide.type.type;
      read.source = {Source::Kind::Def, static_cast<uint32_t>(out.size())};
      read.args = d.vars;
      Node cast{.kind = TermKind::VCast};
      cast.type = d.type.type;
      cast.args = {p.intern(std::move(read))};
      d.body = p.intern(std::move(cast));
      out.push_back(std::move(wide));
    }
    place[i] = static_cast<uint32_t>(out.size());
    out.push_back(std::move(d));
  }
  p.defs = std::move(out);
  for (Require &r : p.requirements)
    r.guard = rewriteTerm(p, r.guard, {}, moved);
  for (OpenDim &o : p.opens)
    if (o.source.kind == Source::Kind::Def)
      o.source.index = place[o.source.index];
  for (uint32_t &o : p.outputs)
    o = place[o];
}

void foldScalarOperands(Program &p) {
  auto onRead = [&](const Node *r, std::vector<const Node *> at) -> const Node * {
    Node copy = *r;
    copy.args = std::move(at);
    if (r->source.kind == Source::Kind::Operand) {
      const auto &value = p.operands[r->source.index].constant;
      if (value && value->elems() == 1) {
        Node c{.kind = r->kind == TermKind::VRead ? TermKind::VConst : TermKind::IxConst};
        c.type = r->type;
        c.number = value->toInt(0);
        c.real = isFloat(value->type()) ? value->toDouble(0) : 0;
        return p.intern(std::move(c));
      }
    }
    return p.intern(std::move(copy));
  };
  for (Def &d : p.defs)
    d.body = rewriteTerm(p, d.body, {}, onRead);
  for (Require &r : p.requirements)
    r.guard = rewriteTerm(p, r.guard, {}, onRead);
}

} // namespace imbrex::lower
