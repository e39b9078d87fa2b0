#include "compiler/codegen/tile-cpu/KernelEmitter.h"

namespace imbrex::codegen {

using namespace mlir;
using namespace tile;

static std::vector<std::string> sizeNames(KernelOp kernel) {
  std::vector<std::string> names;
  for (auto size : kernel.getSizes().getAsRange<SizeParamAttr>())
    names.push_back(size.getName().str());
  return names;
}

static SmallVector<Operation *> failing(KernelOp kernel) {
  SmallVector<Operation *> checks;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto gather = dyn_cast<GatherOp>(op);
    if (isa<CheckOp>(op) || (gather && gather.getChecked()))
      checks.push_back(op);
  });
  return checks;
}

KernelEmitter::KernelEmitter(ModuleOp into, KernelOp kernel, const CpuTarget &target,
                             const DimFacts &facts)
    : kernel(kernel), target(target), facts(facts), plan(kernel),
      frame(into, kernel.getSymName(), kernel.getViews().size(), sizeNames(kernel),
            lower::KernelFrame::Scratch::Lent),
      b(frame.builder()), loc(frame.loc()), top(b.getInsertionBlock()),
      sizes([this](StringRef name) { return frame.symbol(name); }), checks(failing(kernel)) {
  record.name = kernel.getSymName().str();
  record.sizes = sizeNames(kernel);
  record.contract = tile::launchContract(kernel);
  for (const DimExpr &extent : kernel.getGridDims())
    record.grid = record.grid * extent;
  for (Operation *op : checks)
    record.checks.push_back(isa<CheckOp>(op) ? cast<CheckOp>(op).getWhy().str()
                                             : "a row that is gathered lies outside its view");
}

Error KernelEmitter::unsupportedOp(Operation *op, const std::string &why) {
  return unsupported(613, "the kernel " + record.name + " cannot be compiled for this CPU",
                     op->getName().getStringRef().str() + " " + why);
}

Result<TileKernelRecord> KernelEmitter::emit() {
  if (!checks.empty()) {
    Buffer cell = allocate({1}, b.getI32Type());
    status = cell.pointer;
    LLVM::StoreOp::create(b, loc, zero(b.getI32Type()), status);
  }
  emitViews();
  SmallVector<Value> grid =
      llvm::map_to_vector(kernel.getGridDims(), [&](const DimExpr &d) { return size(d); });
  SmallVector<Value> at(grid.size());
  Value rest = frame.gridPoint();
  for (size_t d = grid.size(); d-- > 0;) {
    at[d] = d == 0 ? rest : b.createOrFold<arith::RemUIOp>(loc, rest, grid[d]);
    rest = d == 0 ? rest : b.createOrFold<arith::DivUIOp>(loc, rest, grid[d]);
  }
  kernel.walk([&](BlockOp op) { scalars.map(op.getResult(), at[op.getAxis()]); });
  emitFrom(&kernel.getBody().front().front(), [](Operation *) { return Values{}; }, {});
  if (failure)
    return *failure;
  if (status)
    frame.failWith(LLVM::LoadOp::create(b, loc, b.getI32Type(), status));
  frame.close([&] {
    if (needsFence) // whoever sees that the blocks are done sees their stores
      LLVM::CallIntrinsicOp::create(b, loc, b.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
  });
  record.scratchBytes = scratchUsed;
  return record;
}

bool KernelEmitter::mayFail(Operation *op) const {
  return llvm::any_of(checks, [&](Operation *check) { return op->isAncestor(check); });
}

Value KernelEmitter::notFailed() {
  Value code = LLVM::LoadOp::create(b, loc, b.getI32Type(), status);
  return compare(arith::CmpIPredicate::eq, code, zero(b.getI32Type()));
}

void KernelEmitter::fail(Operation *check, Value bad) {
  when(bad, [&] {
    auto id = static_cast<int32_t>(llvm::find(checks, check) - checks.begin()) + 1;
    Value code = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(id));
    LLVM::StoreOp::create(b, loc, code, status);
  });
}

void KernelEmitter::loop(Value lo, Value hi, int64_t step, function_ref<void(Value)> body) {
  auto forOp = scf::ForOp::create(b, loc, lo, hi, index(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forOp.getBody());
  body(forOp.getInductionVar());
}

void KernelEmitter::when(Value condition, function_ref<void()> body) {
  auto ifOp = scf::IfOp::create(b, loc, condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&ifOp.getThenRegion().front());
  body();
}

KernelEmitter::Values KernelEmitter::emitFrom(Operation *op,
                                              function_ref<Values(Operation *)> finish,
                                              ValueRange fallback) {
  for (; !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
    if (failure)
      return Values(fallback);
    emitOp(op);
    if (!mayFail(op))
      continue;
    // What stands behind a check happens only when it holds.
    auto rest = scf::IfOp::create(b, loc, fallback.getTypes(), notFailed(), true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&rest.getThenRegion().front());
    Values results = emitFrom(op->getNextNode(), finish, fallback);
    if (!fallback.empty() || !rest.thenBlock()->mightHaveTerminator())
      scf::YieldOp::create(b, loc, results);
    b.setInsertionPointToStart(&rest.getElseRegion().front());
    if (!fallback.empty() || !rest.elseBlock()->mightHaveTerminator())
      scf::YieldOp::create(b, loc, fallback);
    return Values(rest.getResults());
  }
  return finish(op);
}

void KernelEmitter::emitOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](BlockOp) {})
      .Case([&](SizeOp o) {
        StringRef text = o.getValue();
        scalars.map(o.getResult(),
                    size(DimExpr::parse(std::string_view(text.data(), text.size())).take()));
      })
      .Case([&](UnravelOp o) {
        Values extents;
        for (StringRef text : o.getExtents().getAsValueRange<StringAttr>())
          extents.push_back(
              size(DimExpr::parse(std::string_view(text.data(), text.size())).take()));
        emitUnravel(o.getResults(), scalar(o.getFlat()), extents, o.getGroup());
      })
      .Case([&](EachPieceOp o) { emitEachPiece(o); })
      .Case([&](CheckOp o) {
        Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
        fail(o, arith::XOrIOp::create(b, loc, scalar(o.getCondition()), yes));
      })
      .Case([&](UnsafeOp o) {
        emitFrom(&o.getBody().front().front(), [](Operation *) { return Values{}; }, {});
      })
      .Case([&](StoreOp o) { emitStore(o); })
      .Case([&](AtomicAddOp o) { emitAtomicAdd(o); })
      .Case([&](ReadOp o) { emitRead(o); })
      .Case<RawLoadOp, RawStoreOp>([&](Operation *o) { emitRaw(o); })
      .Case([&](ReduceOp o) { emitReduce(o); })
      .Case([&](ScanOp o) { emitScan(o); })
      .Case([&](MmaOp o) { emitMma(o); })
      .Case([&](ConcatOp o) {
        if (!isComputedByProduct(o))
          emitConcat(o);
      })
      .Case([&](scf::ForOp o) { emitFor(o); })
      .Case([&](scf::IfOp o) { emitIf(o); })
      .Default([&](Operation *o) {
        if (auto gather = dyn_cast<GatherOp>(o); gather && gather.getChecked())
          emitGatherCheck(gather);
        Value result = o->getNumResults() == 1 ? o->getResult(0) : Value();
        if (!result) {
          failure = unsupportedOp(o, "has no lowering");
        } else if (!isTile(result.getType())) {
          b.clone(*o, scalars);
        } else if (auto constant = dyn_cast<arith::ConstantOp>(o)) {
          emitConstant(constant);
        } else if (isSameMemory(o) && !isOwn(o->getOperand(0))) {
          // A product computes it.
        } else if (isSameMemory(o) && reshaped(cast<ReshapeOp>(o))) {
          // It lies there already.
        } else if (!plan.isInline(result)) {
          Buffer into = allocate(cast<RankedTensorType>(result.getType()).getShape(),
                                 cast<RankedTensorType>(result.getType()).getElementType());
          materialize(result, into);
          buffers[result] = into;
        }
      });
}

/// Another shape of a buffer whose elements lie one behind the other; false when they do not.
bool KernelEmitter::reshaped(ReshapeOp op) {
  auto dense = [](Buffer &buffer) {
    int64_t elems = 1;
    for (size_t d = buffer.shape.size(); d-- > 0; elems *= buffer.shape[d])
      if (buffer.shape[d] != 1 && buffer.strides[d] != elems)
        return false;
    return true;
  };
  Buffer buffer = buffers.at(op.getSource());
  if (!dense(buffer))
    return false;
  RankedTensorType type = op.getResult().getType();
  buffer.shape.assign(type.getShape().begin(), type.getShape().end());
  buffer.strides.assign(buffer.shape.size(), 1);
  for (size_t d = buffer.shape.size(); d-- > 1;)
    buffer.strides[d - 1] = buffer.strides[d] * buffer.shape[d];
  buffers[op.getResult()] = buffer;
  return true;
}

/// A constant whose elements differ lies in memory, too.
void KernelEmitter::emitConstant(arith::ConstantOp op) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense || dense.isSplat())
    return;
  auto type = cast<RankedTensorType>(op.getType());
  if (type.getNumElements() > 4096) {
    failure = unsupportedOp(op, "has more than 4096 different elements");
    return;
  }
  Buffer into = allocate(type.getShape(), type.getElementType());
  for (auto [n, value] : llvm::enumerate(dense.getValues<TypedAttr>())) {
    Point p;
    auto rest = static_cast<int64_t>(n);
    p.at.resize(static_cast<size_t>(type.getRank()));
    for (int64_t d = type.getRank() - 1; d >= 0; rest /= type.getDimSize(d--))
      p.at[d] = index(rest % type.getDimSize(d));
    writeBuffer(into, p, arith::ConstantOp::create(b, loc, value));
  }
  buffers[op.getResult()] = into;
}

//===-- Control flow --------------------------------------------------------===//

/// What a loop carries lies in one buffer, which each iteration replaces.
void KernelEmitter::emitYields(scf::ForOp loop, Operation *yield) {
  struct Pending {
    Buffer from, to;
  };
  std::vector<Pending> pending;
  std::vector<std::pair<Value, Buffer>> direct;
  for (OpOperand &use : yield->getOpOperands()) {
    Value value = use.get();
    if (!isTile(value.getType()))
      continue;
    Value argument = loop.getRegionIterArg(use.getOperandNumber());
    Buffer to = buffers.at(argument);
    if (isOwn(value)) {
      Buffer from = buffers.at(value);
      if (from.pointer == to.pointer)
        continue;
      if (llvm::is_contained(loop.getRegionIterArgs(),
                             value)) { // may be overwritten before its turn
        Buffer kept = allocate(to.shape, to.element);
        copy(from, kept);
        from = kept;
      }
      pending.push_back({from, to});
      continue;
    }
    if (argument.use_empty() || plan.flowsOnlyInto(argument, use)) {
      direct.push_back({value, to});
      continue;
    }
    Buffer next = allocate(to.shape, to.element);
    materialize(value, next);
    pending.push_back({next, to});
  }
  for (auto &[value, to] : direct)
    finishProducts(value, to);
  for (auto &[from, to] : pending)
    copy(from, to);
}

void KernelEmitter::emitFor(scf::ForOp op) {
  findKept(op);
  auto found = keeps.find(op);
  if (found == keeps.end())
    return emitForOnce(op);
  versions(found->second.fits, [&](bool fits) {
    found->second.now = fits;
    emitForOnce(op);
  });
}

void KernelEmitter::emitForOnce(scf::ForOp op) {
  if (auto like = carriedInRegisters(op))
    return emitInRegisters(op, *like);
  Values inits, carried;
  for (auto [init, argument, result] :
       llvm::zip_equal(op.getInitArgs(), op.getRegionIterArgs(), op.getResults())) {
    if (auto type = dyn_cast<RankedTensorType>(init.getType())) {
      Buffer buffer =
          isOwn(result) ? buffers.at(result) : allocate(type.getShape(), type.getElementType());
      if (isOwn(init))
        copy(buffers.at(init), buffer);
      else
        materialize(init, buffer);
      buffers[argument] = buffers[result] = buffer;
    } else {
      inits.push_back(scalar(init));
      carried.push_back(argument);
    }
  }
  auto loop = scf::ForOp::create(b, loc, scalar(op.getLowerBound()), scalar(op.getUpperBound()),
                                 scalar(op.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scalars.map(op.getInductionVar(), loop.getInductionVar());
    for (auto [argument, value] : llvm::zip_equal(carried, loop.getRegionIterArgs()))
      scalars.map(argument, value);
    auto finish = [&](Operation *yield) {
      emitYields(op, yield);
      Values next;
      for (Value v : yield->getOperands())
        if (!isTile(v.getType()))
          next.push_back(scalar(v));
      return next;
    };
    Values kept(loop.getRegionIterArgs());
    Values next;
    if (mayFail(op)) { // later iterations of a failed block do nothing
      auto good = scf::IfOp::create(b, loc, ValueRange(kept).getTypes(), notFailed(), true);
      b.setInsertionPointToStart(good.thenBlock());
      Values results = emitFrom(&op.getBody()->front(), finish, kept);
      if (!kept.empty()) {
        scf::YieldOp::create(b, loc, results);
        b.setInsertionPointToStart(good.elseBlock());
        scf::YieldOp::create(b, loc, kept);
      }
      b.setInsertionPointAfter(good);
      next.assign(good.getResults().begin(), good.getResults().end());
    } else {
      next = emitFrom(&op.getBody()->front(), finish, kept);
    }
    if (!kept.empty())
      scf::YieldOp::create(b, loc, next);
  }
  size_t n = 0;
  for (Value result : op.getResults())
    if (!isTile(result.getType()))
      scalars.map(result, loop.getResult(static_cast<unsigned>(n++)));
}

void KernelEmitter::emitIf(scf::IfOp op) {
  SmallVector<Type> types;
  Values fallback;
  for (Value result : op.getResults()) {
    if (auto type = dyn_cast<RankedTensorType>(result.getType())) {
      buffers[result] = allocate(type.getShape(), type.getElementType());
    } else {
      types.push_back(result.getType());
      fallback.push_back(zero(result.getType()));
    }
  }
  auto finish = [&](Operation *yield) {
    Values next;
    for (auto [value, result] : llvm::zip(yield->getOperands(), op.getResults())) {
      if (!isTile(value.getType()))
        next.push_back(scalar(value));
      else if (isOwn(value))
        copy(buffers.at(value), buffers.at(result));
      else
        materialize(value, buffers.at(result));
    }
    return next;
  };
  bool hasElse = !op.getElseRegion().empty();
  auto choice = scf::IfOp::create(b, loc, types, scalar(op.getCondition()), hasElse);
  {
    OpBuilder::InsertionGuard guard(b);
    for (auto [from, to] : {std::pair(&op.getThenRegion(), &choice.getThenRegion()),
                            std::pair(&op.getElseRegion(), &choice.getElseRegion())}) {
      if (from->empty())
        continue;
      b.setInsertionPointToStart(&to->front());
      Values results = emitFrom(&from->front().front(), finish, fallback);
      if (!types.empty())
        scf::YieldOp::create(b, loc, results);
    }
  }
  size_t n = 0;
  for (Value result : op.getResults())
    if (!isTile(result.getType()))
      scalars.map(result, choice.getResult(static_cast<unsigned>(n++)));
}

/// Row-major, or in groups of rows, column by column within a group; the last group is what
/// remains.
void KernelEmitter::emitUnravel(ValueRange results, Value flat, ValueRange extents,
                                std::optional<int64_t> group) {
  auto divided = [&](Value x, Value y) { return b.createOrFold<arith::DivUIOp>(loc, x, y); };
  auto remainder = [&](Value x, Value y) { return b.createOrFold<arith::RemUIOp>(loc, x, y); };
  if (group) {
    Value perGroup = mul(index(*group), extents[1]);
    Value first = mul(divided(flat, perGroup), index(*group));
    Value rows = smallest(index(*group), sub(extents[0], first));
    Value within = remainder(flat, perGroup);
    scalars.map(results[0], add(first, remainder(within, rows)));
    scalars.map(results[1], divided(within, rows));
    return;
  }
  for (size_t d = results.size(); d-- > 0;) {
    scalars.map(results[d], d == 0 ? flat : remainder(flat, extents[d]));
    flat = d == 0 ? flat : divided(flat, extents[d]);
  }
}

void KernelEmitter::emitEachPiece(EachPieceOp op) {
  ViewType type = op.getView().getType();
  DimExpr total = 1;
  SmallVector<DimExpr> counts;
  for (auto [dim, tile] : llvm::zip_equal(type.getDims(), op.getTile())) {
    counts.push_back(tileCount(dim, tile));
    total = total * counts.back();
  }
  Values extents = llvm::map_to_vector(counts, [&](const DimExpr &d) { return size(d); });
  auto loop =
      scf::ForOp::create(b, loc, frame.gridPoint(), size(total), size(kernel.getGridDims()[0]));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  auto body = [&] {
    emitUnravel(op.getBody().getArguments(), loop.getInductionVar(), extents, op.getGroup());
    emitFrom(&op.getBody().front().front(), [](Operation *) { return Values{}; }, {});
  };
  if (mayFail(op))
    when(notFailed(), body);
  else
    body();
}

} // namespace imbrex::codegen
