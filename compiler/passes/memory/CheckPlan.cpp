#include "compiler/passes/memory/CheckPlan.h"

#include "compiler/passes/memory/PlanMemory.h"

namespace imbrex::memory {

using namespace mlir;

namespace {

/// What is known while walking: which buffers a value may be, and which buffers hold their own
/// bytes.
class Walk {
public:
  explicit Walk(relay::FuncOp func) : facts(relay::factsAt(func)) {
    auto attr = func->getAttrOfType<StringAttr>(kArena);
    auto parsed = DimExpr::parse(attr ? attr.getValue().str() : "0");
    arena = parsed ? *parsed : DimExpr(0);
  }

  Status region(Region &region) {
    for (Operation &op : region.front())
      if (auto s = visit(&op); !s)
        return s;
    return {};
  }

private:
  using Buffers = SmallVector<vm::BufferOp, 2>;

  Error bad(Operation *op, const std::string &why) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    return internalError(620, "the memory plan is wrong at " + text + ": " + why);
  }

  static std::optional<DimExpr> offsetOf(vm::BufferOp b) {
    if (!b.getOffset())
      return std::nullopt;
    auto e = DimExpr::parse(b.getOffset()->str());
    return e ? std::optional(*e) : std::nullopt;
  }

  static DimExpr bytesOf(vm::BufferOp b) {
    DimExpr bytes = byteSize(relay::tensorType(b.getResult()).getDType());
    for (const DimExpr &d : relay::tensorType(b.getResult()).getDims())
      bytes = bytes * d;
    return bytes;
  }

  /// The two ranges share no byte, whatever the symbols are.
  bool apart(vm::BufferOp x, vm::BufferOp y) {
    auto a = offsetOf(x), c = offsetOf(y);
    if (!a || !c)
      return true;
    return facts.provenAtLeast(*c - *a - bytesOf(x), 0) ||
           facts.provenAtLeast(*a - *c - bytesOf(y), 0);
  }

  Status write(Operation *op, vm::BufferOp target) {
    SmallVector<vm::BufferOp> lost;
    for (vm::BufferOp other : holding)
      if (other != target && !apart(target, other))
        lost.push_back(other);
    for (vm::BufferOp l : lost)
      holding.remove(l);
    holding.insert(target);
    auto offset = offsetOf(target);
    if (offset && !facts.provenAtLeast(arena - *offset - bytesOf(target), 0))
      return bad(op, "a buffer ends beyond the arena");
    if (offset && !facts.provenMultiple(*offset, 64))
      return bad(op, "a buffer is not aligned to 64 bytes");
    return {};
  }

  Status read(Operation *op, Value v) {
    for (vm::BufferOp b : may.lookup(v))
      if (!holding.contains(b))
        return bad(op, "it reads a buffer whose bytes another one has taken");
    return {};
  }

  Status visit(Operation *op) {
    if (auto buffer = dyn_cast<vm::BufferOp>(op)) {
      may[buffer.getResult()] = {buffer};
      return {};
    }
    if (auto alias = dyn_cast<vm::AliasOp>(op)) {
      may[alias.getResult()] = may.lookup(alias.getSource());
      return {};
    }
    if (auto launch = dyn_cast<vm::LaunchOp>(op)) {
      for (Value in : launch.getInputs())
        for (Value out : launch.getOutputs())
          for (vm::BufferOp x : may.lookup(in))
            for (vm::BufferOp y : may.lookup(out))
              if (x == y || !apart(x, y))
                return bad(op, "an operand shares bytes with a result");
      for (Value in : launch.getInputs())
        if (auto s = read(op, in); !s)
          return s;
      for (Value out : launch.getOutputs())
        for (vm::BufferOp b : may.lookup(out))
          if (auto s = write(op, b); !s)
            return s;
      return {};
    }
    if (auto branch = dyn_cast<relay::IfOp>(op))
      return visitIf(branch);
    if (auto loop = dyn_cast<relay::LoopOp>(op))
      return visitLoop(loop);
    for (Value v : op->getOperands())
      if (auto s = read(op, v); !s)
        return s;
    if (isa<relay::ReturnOp>(op))
      for (Value v : op->getOperands())
        for (vm::BufferOp b : may.lookup(v))
          if (b.getOffset())
            return bad(op, "a result lies in the arena, which the caller does not keep");
    return {};
  }

  Status visitIf(relay::IfOp op) {
    if (auto s = read(op, op.getCondition()); !s)
      return s;
    auto before = holding;
    if (auto s = region(op.getThenRegion()); !s)
      return s;
    auto then = holding;
    holding = before;
    if (auto s = region(op.getElseRegion()); !s)
      return s;
    // After the branches a buffer holds its bytes only if it does on the paths on which it was
    // written.
    llvm::SetVector<vm::BufferOp> both;
    for (const auto *set : {&then, &holding})
      for (vm::BufferOp b : *set)
        if (survives(b, before, then, op.getThenRegion()) &&
            survives(b, before, holding, op.getElseRegion()))
          both.insert(b);
    holding = both;
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      auto &set = may[result];
      for (Value y : {op.thenYield().getOperand(i), op.elseYield().getOperand(i)})
        for (vm::BufferOp b : may.lookup(y))
          set.push_back(b);
    }
    return {};
  }

  /// A buffer made inside the other branch does not exist on this path.
  bool survives(vm::BufferOp b, const llvm::SetVector<vm::BufferOp> &before,
                const llvm::SetVector<vm::BufferOp> &after, Region &path) {
    return after.contains(b) || (!before.contains(b) && !path.isAncestor(b->getParentRegion()));
  }

  Status visitLoop(relay::LoopOp op) {
    for (unsigned i = 0; i < op.getInits().size(); ++i)
      for (Region *r : {&op.getCondRegion(), &op.getBodyRegion()})
        may[r->getArgument(i)] = may.lookup(op.getInits()[i]);
    for (int pass = 0; pass < 2; ++pass) {
      if (auto s = region(op.getCondRegion()); !s)
        return s;
      if (auto s = region(op.getBodyRegion()); !s)
        return s;
      for (auto [i, y] : llvm::enumerate(op.bodyYield().getOperands()))
        for (vm::BufferOp b : may.lookup(y)) {
          if (b.getOffset())
            return bad(
                op, "a value carried by a loop lies in the arena, where the next iteration writes");
          for (Region *r : {&op.getCondRegion(), &op.getBodyRegion()})
            may[r->getArgument(i)].push_back(b);
        }
    }
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      may[result] = may.lookup(op.getCondRegion().getArgument(i));
    return {};
  }

  DimFacts facts;
  DimExpr arena = 0;
  DenseMap<Value, Buffers> may;
  llvm::SetVector<vm::BufferOp> holding;
};

} // namespace

Status checkPlan(relay::FuncOp func) { return Walk(func).region(func.getBody()); }

} // namespace imbrex::memory
