// tile-verify: one kernel after the other; each claim through the ladder of Passes.td.
#include "compiler/passes/tile/Example.h"
#include "compiler/passes/tile/Outputs.h"
#include "compiler/passes/tile/Passes.h"
#include "compiler/passes/tile/Prover.h"

using namespace mlir;

namespace imbrex::tile {

#define GEN_PASS_DEF_VERIFYTILE
#include "compiler/passes/tile/Passes.h.inc"

namespace {

/// A claim that `value` >= 0 at an access.
struct Claim {
  Operation *op;
  Value index;       // what a check in the kernel would compare
  DimExpr limit = 0; // with index < limit, when `upper`
  bool upper = false;
  DimExpr value = 0;
  std::string what; // "tile %index of axis 0 of 'a' must be below ..."
};

class Kernel {
public:
  Kernel(KernelOp kernel, const VerifyOptions &options)
      : kernel(kernel), space(kernel, options), prover(space) {}

  FailureOr<KernelReport> run();

private:
  LogicalResult checkArithmetic();
  LogicalResult checkAccess(Operation *op);
  LogicalResult checkTileIndex(Operation *op, Value view, size_t axis, Value index, int64_t tile,
                               bool whole);
  LogicalResult checkUnravels();
  LogicalResult checkUpdate(LoadOp load);
  LogicalResult checkStrides(BlockArgument view);
  LogicalResult decide(const Claim &claim, const Domain &domain);
  std::optional<std::string> counterexample(const Claim &claim, const Domain &domain, bool &always);
  void addLaunchCheck(const DimExpr &atLeastZero);
  void addInKernelCheck(const Claim &claim);
  llvm::SmallPtrSet<Operation *, 32> indexSlice();
  InFlightDiagnostic refuse(Operation *at) {
    return at->emitError() << "kernel @" << kernel.getSymName() << ' ';
  }

  KernelOp kernel;
  IndexSpace space;
  Prover prover;
  KernelReport report;
};

/// The operations whose values reach an index, a loop bound or a condition.
llvm::SmallPtrSet<Operation *, 32> Kernel::indexSlice() {
  llvm::SmallPtrSet<Operation *, 32> slice;
  SmallVector<Value> work;
  kernel.walk([&](Operation *op) {
    bool memory = isa<LoadOp, WindowOp, GatherOp, ReadOp, StoreOp, AtomicAddOp, UnravelOp,
                      scf::ForOp, scf::IfOp, CheckOp>(op);
    if (!memory)
      return;
    for (Value v : op->getOperands())
      if (v.getType().isIntOrIndex())
        work.push_back(v);
  });
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op && slice.insert(op).second)
      for (Value v : op->getOperands())
        if (v.getType().isIntOrIndex())
          work.push_back(v);
  }
  kernel.walk([&](scf::ForOp loop) { slice.insert(loop); });
  return slice;
}

LogicalResult Kernel::checkArithmetic() {
  auto slice = indexSlice();
  for (const auto &premise : space.premises()) {
    if (!slice.contains(premise.op) || space.without(Rule::Premises))
      continue;
    if (!prover.notNegative(premise.value, space.factsWithin(space.domainOf(premise.op))))
      return refuse(premise.op) << "computes an index, but it is not known that " << premise.what
                                << ": " << space.text(premise.value) << " >= 0";
  }
  for (const auto &n : space.arithmetic()) {
    if (!slice.contains(n.op) || space.without(Rule::Wrapping) || space.dependsOnData(n.value))
      continue;
    if (!prover.fits(n.value, n.bits, space.factsWithin(space.domainOf(n.op))))
      return refuse(n.op) << "computes an index that may leave " << n.bits
                          << " bits: " << space.text(n.value)
                          << "; smaller limits of the kernel's sizes would prove that it does "
                             "not";
  }
  return success();
}

LogicalResult Kernel::checkUnravels() {
  if (space.without(Rule::UnravelRange))
    return success();
  for (const Unraveled &u : space.unraveled()) {
    Domain domain = space.domainOf(u.op);
    DimExpr total = 1;
    for (const DimExpr &e : u.extents)
      total = total * e;
    Value flat = cast<UnravelOp>(u.op).getFlat();
    for (bool upper : {false, true}) {
      Claim c{u.op,
              flat,
              total,
              upper,
              upper ? total - 1 - u.flat : u.flat,
              "takes the number " + space.text(u.flat) + " apart, which must be " +
                  (upper ? "below " + space.text(total) : "at least 0")};
      if (failed(decide(c, domain)))
        return failure();
    }
  }
  return success();
}

std::optional<std::string> Kernel::counterexample(const Claim &claim, const Domain &domain,
                                                  bool &always) {
  std::optional<std::string> text;
  always = true;
  bool ran = false;
  for (const Values &sizes : smallSizes(space, 40)) {
    bool fails = false;
    bool listed = forEachExecution(space, domain, sizes, [&](const Values &point) {
      ran = true;
      auto v = valueOf(claim.value, point);
      if (!v || *v >= 0)
        return true;
      fails = true;
      if (!text) {
        text = describe(space, sizes) + " " + describePoint(space, domain, point);
        if (auto index = valueOf(space.of(claim.index), point))
          *text += " has " + std::to_string(*index);
        if (auto limit = valueOf(claim.limit, point); limit && claim.upper)
          *text += ", of " + std::to_string(*limit);
      }
      return false;
    });
    if (!listed)
      return std::nullopt;
    bool executes = false;
    (void)forEachExecution(space, domain, sizes, [&](const Values &) {
      executes = true;
      return false;
    });
    always &= fails || !executes;
  }
  always &= ran;
  return text;
}

void Kernel::addLaunchCheck(const DimExpr &e) {
  std::string text = space.text(e) + " >= 0";
  SmallVector<Attribute> all(kernel.getChecks().getValue());
  Builder b(kernel.getContext());
  if (!llvm::is_contained(all, b.getStringAttr(text))) {
    all.push_back(b.getStringAttr(text));
    ++report.launchChecks;
  }
  kernel.setChecksAttr(b.getArrayAttr(all));
}

/// A compare and a tile.check before the access, outside of the loops that certainly run and in
/// which the index does not change.
void Kernel::addInKernelCheck(const Claim &claim) {
  Operation *at = claim.op;
  while (auto loop = dyn_cast<scf::ForOp>(at->getParentOp())) {
    const Variable *v = nullptr;
    for (const auto &[name, x] : space.variables())
      if (x.op == loop && x.kind == Variable::Kind::Loop)
        v = &x;
    if (!loop.isDefinedOutsideOfLoop(claim.index) || !v || !prover.notNegative(v->extent - 1))
      break;
    at = loop;
  }
  // A kernel that was verified before has it already.
  for (Operation *o = at->getPrevNode(); o; o = o->getPrevNode())
    if (auto check = dyn_cast<CheckOp>(o); check && check.getWhy() == claim.what)
      if (auto holds = check.getCondition().getDefiningOp<arith::CmpIOp>();
          holds && holds.getLhs() == claim.index)
        return;
  OpBuilder b(at);
  Location loc = claim.op->getLoc();
  Value bound;
  if (claim.upper)
    bound = SizeOp::create(b, loc, b.getIndexType(), b.getStringAttr(space.text(claim.limit)));
  else
    bound = arith::ConstantIndexOp::create(b, loc, 0);
  Value holds = arith::CmpIOp::create(
      b, loc, claim.upper ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge, claim.index,
      bound);
  CheckOp::create(b, loc, holds, claim.what);
  ++report.inKernelChecks;
}

LogicalResult Kernel::decide(const Claim &claim, const Domain &domain) {
  if (prover.notNegative(claim.value, space.factsWithin(domain))) {
    ++report.proven;
    return success();
  }
  bool always = false;
  if (space.dependsOnData(claim.value)) {
    if (kernel.getDenyInKernelChecks())
      return refuse(claim.op) << claim.what
                              << "; it depends on data, and the kernel denies "
                                 "checks while it runs";
    addInKernelCheck(claim);
    return success();
  }
  auto example = counterexample(claim, domain, always);
  auto worst = prover.atWorst(claim.value);
  if (worst)
    for (const Values &sizes : smallSizes(space, 400))
      if (auto v = valueOf(*worst, sizes); v && *v >= 0)
        always = false;
  if (example && always)
    return refuse(claim.op) << claim.what << ", but never is: " << *example;
  if (worst) {
    // Where the access is conditional the worst value may not be reached: the check is stricter.
    addLaunchCheck(*worst);
    return success();
  }
  InFlightDiagnostic d = refuse(claim.op) << claim.what << "; this is not proven";
  if (example)
    d << ": " << *example;
  return d;
}

LogicalResult Kernel::checkTileIndex(Operation *op, Value view, size_t axis, Value index,
                                     int64_t tile, bool whole) {
  DimExpr extent = space.extentsOf(cast<ViewType>(view.getType()))[axis];
  DimExpr i = space.of(index), count = tile == 1 ? extent : tileCount(extent, tile);
  Domain domain = space.domainOf(op);
  std::string where = std::string(isa<StoreOp, AtomicAddOp>(op) ? "adds to " : "reads ") +
                      (tile == 1 ? "element " : "tile ") + space.text(i) + " of axis " +
                      std::to_string(axis) + " of '" + kernel.viewName(view) + "'";
  Claim low{op, index, count, false, i, where + ", which must be at least 0"};
  Claim high{op,   index,         count,
             true, count - 1 - i, where + ", which must be below " + space.text(count)};
  if ((!space.without(Rule::LowerBound) && failed(decide(low, domain))) ||
      (!space.without(Rule::UpperBound) && failed(decide(high, domain))))
    return failure();
  if (!whole || space.without(Rule::WholeTiles))
    return success();
  Claim inside{op,
               index,
               floorDiv(extent, tile),
               true,
               extent - (i + 1) * tile,
               where + ", which must be whole: its " + std::to_string(tile) +
                   " elements must end by " + space.text(extent)};
  return decide(inside, domain);
}

/// A load from a view that is updated touches only the piece that the block stores.
LogicalResult Kernel::checkUpdate(LoadOp load) {
  if (space.without(Rule::OwnPiece))
    return success();
  Value view = load.getView();
  for (Operation *user : view.getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (!store || store.getValue().getType() != load.getResult().getType())
      continue;
    bool same = true;
    for (auto [a, b] : llvm::zip_equal(load.getIndices(), store.getIndices()))
      same &= space.of(a) == space.of(b);
    if (same)
      return success();
  }
  return refuse(load) << "loads a piece of '" << kernel.viewName(view)
                      << "' that this block does not store; another block may be writing it";
}

LogicalResult Kernel::checkAccess(Operation *op) {
  auto tiled = [&](Value view, OperandRange indices, RankedTensorType tile, bool whole) {
    for (size_t d = 0; d < indices.size(); ++d)
      if (failed(checkTileIndex(op, view, d, indices[d], tile.getDimSize(d), whole)))
        return failure();
    return success();
  };
  if (auto load = dyn_cast<LoadOp>(op)) {
    if (cast<ViewType>(load.getView().getType()).getAccess() == Access::update &&
        failed(checkUpdate(load)))
      return failure();
    return tiled(load.getView(), load.getIndices(), load.getResult().getType(), load.getWhole());
  }
  if (auto add = dyn_cast<AtomicAddOp>(op)) {
    if (isa<FloatType>(add.getValue().getType().getElementType()))
      report.remarks.push_back("sums into '" + kernel.viewName(add.getView()) +
                               "' in no fixed order");
    return tiled(add.getView(), add.getIndices(), add.getValue().getType(), false);
  }
  if (auto read = dyn_cast<ReadOp>(op)) {
    for (size_t d = 0; d < read.getIndices().size(); ++d)
      if (failed(checkTileIndex(op, read.getView(), d, read.getIndices()[d], 1, false)))
        return failure();
    return success();
  }
  if (auto window = dyn_cast<WindowOp>(op)) {
    // Its last element must have a place number, too.
    for (Value offset : window.getOffsets())
      if (!prover.fits(space.of(offset), 62, space.factsWithin(space.domainOf(op))))
        return refuse(op) << "reads a window at " << space.text(space.of(offset))
                          << ", which may leave 62 bits";
    return success();
  }
  if (auto gather = dyn_cast<GatherOp>(op)) {
    if (gather.getChecked() && kernel.getDenyInKernelChecks())
      return refuse(op) << "checks the rows that it gathers; the kernel denies checks while "
                           "it runs";
    for (size_t d = 0; d < gather.getIndices().size(); ++d)
      if (failed(checkTileIndex(op, gather.getView(), d + 1, gather.getIndices()[d],
                                gather.getResult().getType().getDimSize(d + 1), false)))
        return failure();
  }
  return success();
}

/// Distinct indices of an output must be distinct addresses: sorted by stride, each stride steps
/// over all that the smaller ones span.
LogicalResult Kernel::checkStrides(BlockArgument view) {
  auto type = cast<ViewType>(view.getType());
  if (type.isContiguous() || space.without(Rule::Strides))
    return success();
  SmallVector<DimExpr> extents = space.extentsOf(type), strides = space.stridesOf(type);
  SmallVector<bool> placed(extents.size(), false);
  std::function<bool(DimExpr, size_t)> place = [&](DimExpr span, size_t left) {
    for (size_t d = 0; d < extents.size() && left; ++d) {
      if (placed[d])
        continue;
      bool single = prover.notNegative(DimExpr(1) - extents[d]);
      if (!single && !prover.notNegative(strides[d] - span - 1))
        continue;
      placed[d] = true;
      if (place(single ? span : span + (extents[d] - 1) * strides[d], left - 1))
        return true;
      placed[d] = false;
    }
    return left == 0;
  };
  if (extents.size() > 8 || !place(0, extents.size()))
    return refuse(kernel) << "writes '" << kernel.viewName(view)
                          << "', but two of its indices may be one address: no order of its "
                             "strides is known in which each steps over the axes before";
  return success();
}

FailureOr<KernelReport> Kernel::run() {
  if (failed(checkArithmetic()) || failed(checkUnravels()))
    return failure();
  SmallVector<Operation *> accesses;
  kernel.walk([&](Operation *op) {
    if (isa<LoadOp, WindowOp, AtomicAddOp, ReadOp, GatherOp>(op))
      accesses.push_back(op);
    if (isa<UnsafeOp>(op))
      ++report.unsafeRegions;
  });
  for (BlockArgument view : kernel.getViews()) {
    Access access = cast<ViewType>(view.getType()).getAccess();
    bool raw = llvm::any_of(view.getUsers(), [](Operation *o) { return isa<RawStoreOp>(o); });
    if (access == Access::read)
      continue;
    if (failed(checkStrides(view)))
      return failure();
    if (access == Access::accumulate || raw || space.without(Rule::PiecesOnce))
      continue;
    std::vector<DimExpr> needed;
    if (auto fault = proveOutput(space, view, needed)) {
      refuse(fault->where) << fault->what;
      return failure();
    }
    ++report.proven;
    for (const DimExpr &e : needed)
      addLaunchCheck(e);
  }
  for (Operation *op : accesses)
    if (failed(checkAccess(op)))
      return failure();
  return report;
}

struct VerifyTilePass : impl::VerifyTileBase<VerifyTilePass> {
  void runOnOperation() override {
    auto kernels = llvm::to_vector(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (failed(verifyKernel(kernel)))
        signalPassFailure();
  }
};

} // namespace

FailureOr<KernelReport> verifyKernel(KernelOp kernel, const VerifyOptions &options) {
  return Kernel(kernel, options).run();
}

} // namespace imbrex::tile
