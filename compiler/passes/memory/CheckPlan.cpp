#include "compiler/passes/memory/CheckPlan.h"

#include "compiler/passes/memory/PlanMemory.h"

#include "llvm/ADT/StringSet.h"

#include <utility>

namespace imbrex::memory {

using namespace mlir;

namespace {

/// What is known while walking: which buffers a value may be, and which buffers hold their own
/// bytes.
class Walk {
public:
  explicit Walk(relay::FuncOp func) : func(func), facts(relay::factsAt(func)) {
    for (relay::SymbolAttr s : func.symbolList())
      atEntry.insert(s.getName());
  }

  Status run() {
    auto attr = func->getAttrOfType<StringAttr>(kArena);
    auto size = expression(func, attr ? attr.getValue() : "0", "the arena's size");
    if (!size)
      return size.takeError();
    arena = *size;
    for (Value argument : func.entry().getArguments())
      may[argument] = {};
    return region(func.getBody());
  }

private:
  using Buffers = llvm::SetVector<vm::BufferOp>;

  Error bad(Operation *op, const std::string &why) {
    std::string text;
    if (op == func.getOperation())
      text = func.getSymName().str();
    else
      llvm::raw_string_ostream(text) << *op;
    return internalError(620, "the memory plan is wrong at " + text + ": " + why);
  }

  /// A size that the entry of the function can compute.
  Result<DimExpr> expression(Operation *op, StringRef text, const std::string &what) {
    auto e = DimExpr::parse(text.str());
    if (!e || !e->valid())
      return bad(op, what + " '" + text.str() + "' is no size");
    for (const std::string &s : e->symbols())
      if (!atEntry.contains(s))
        return bad(op, what + " needs '" + s + "', which is known only after the function began");
    return *e;
  }

  static DimExpr bytesOf(Value v) {
    DimExpr bytes = byteSize(relay::tensorType(v).getDType());
    for (const DimExpr &d : relay::tensorType(v).getDims())
      bytes = bytes * d;
    return bytes;
  }

  /// The two ranges share no byte, whatever the symbols are. Storage of its own is apart from all,
  /// and what an earlier iteration left in it from what this one writes: a launch that reads its
  /// own result reads what nothing has written.
  bool apart(vm::BufferOp x, vm::BufferOp y) {
    auto a = offsets.find(x), c = offsets.find(y);
    if (a == offsets.end() || c == offsets.end())
      return true;
    // Places and types recur: a proof over symbols is made once for each pair of them.
    auto key = std::make_tuple(x.getOffsetAttr(), y.getOffsetAttr(), Type(x.getResult().getType()),
                               Type(y.getResult().getType()));
    auto [known, fresh] = proofs.try_emplace(key, false);
    if (fresh)
      known->second =
          facts.provenAtLeast(c->second - a->second - bytesOf(x.getResult()), 0) ||
          facts.provenAtLeast(a->second - c->second - bytesOf(y.getResult()), 0);
    return known->second;
  }

  Status region(Region &region) {
    for (Operation &op : region.front())
      if (auto s = visit(&op); !s)
        return s;
    return {};
  }

  Status visit(Operation *op) {
    if (auto buffer = dyn_cast<vm::BufferOp>(op))
      return visitBuffer(buffer);
    if (auto alias = dyn_cast<vm::AliasOp>(op))
      return visitAlias(alias);
    if (auto launch = dyn_cast<vm::LaunchOp>(op))
      return visitLaunch(launch);
    if (auto branch = dyn_cast<relay::IfOp>(op))
      return visitIf(branch);
    if (auto loop = dyn_cast<relay::LoopOp>(op))
      return visitLoop(loop);
    for (Value v : op->getOperands())
      if (auto s = read(op, v); !s)
        return s;
    if (isa<relay::ConstantOp, vm::HostOp>(op)) {
      for (Value result : op->getResults()) // in storage of its own
        may[result] = {};
    } else if (auto call = dyn_cast<relay::CallOp>(op)) {
      // The function called may return what it was given.
      Buffers given;
      for (Value v : call.getInputs())
        given.insert_range(may.lookup(v));
      for (Value result : call.getResults())
        may[result] = given;
    } else if (isa<relay::ReturnOp>(op)) {
      for (Value v : op->getOperands())
        for (vm::BufferOp b : may.lookup(v))
          if (offsets.contains(b))
            return bad(op, "a result lies in the arena, which the caller does not keep");
    }
    return {};
  }

  /// Fresh storage: it holds nothing yet, and this execution has not written it.
  Status visitBuffer(vm::BufferOp b) {
    may[b.getResult()].clear();
    may[b.getResult()].insert(b);
    written.remove(b);
    if (!b.getOffset())
      return {};
    holding.remove(b);
    auto offset = expression(b, *b.getOffset(), "the offset");
    if (!offset)
      return offset.takeError();
    offsets.insert_or_assign(b, *offset);
    if (!facts.provenAtLeast(*offset, 0))
      return bad(b, "a buffer begins before the arena");
    // Kernels may read place 0 of an empty tensor: the arena has 64 bytes there in any case.
    if (!facts.provenAtLeast(arena - *offset - bytesOf(b.getResult()), 0) ||
        !facts.provenAtLeast(arena - *offset - 64, 0))
      return bad(b, "a buffer ends beyond the arena");
    if (!facts.provenMultiple(*offset, 64))
      return bad(b, "a buffer is not aligned to 64 bytes");
    return {};
  }

  Status visitAlias(vm::AliasOp alias) {
    if (auto s = read(alias, alias.getSource()); !s)
      return s;
    if (!facts.provenEqual(bytesOf(alias.getSource()), bytesOf(alias.getResult())))
      return bad(alias, "an alias has another size than its source");
    may[alias.getResult()] = Buffers(may.lookup(alias.getSource()));
    return {};
  }

  Status visitLaunch(vm::LaunchOp launch) {
    for (Value in : launch.getInputs())
      if (auto s = read(launch, in); !s)
        return s;
    Buffers targets;
    for (Value out : launch.getOutputs()) {
      if (may.lookup(out).empty())
        return bad(launch, "a result is no buffer of this function");
      for (vm::BufferOp y : may.lookup(out)) {
        for (Value in : launch.getInputs())
          for (vm::BufferOp x : may.lookup(in))
            if (!apart(x, y))
              return bad(launch, "an operand shares bytes with a result");
        for (vm::BufferOp x : targets)
          if (x == y || !apart(x, y))
            return bad(launch, "two results share bytes");
        targets.insert(y);
      }
    }
    for (vm::BufferOp b : targets)
      if (auto s = write(launch, b); !s)
        return s;
    return {};
  }

  Status write(Operation *op, vm::BufferOp target) {
    // Values stand for the bytes of one write: after a second, aliases would name other bytes.
    if (!written.insert(target))
      return bad(op, "it writes a buffer that was written before");
    holding.remove_if([&](vm::BufferOp other) { return other != target && !apart(target, other); });
    holding.insert(target);
    return {};
  }

  Status read(Operation *op, Value v) {
    auto it = may.find(v);
    if (it == may.end())
      return bad(op, "it reads a value whose storage is not known");
    for (vm::BufferOp b : it->second)
      if (!holding.contains(b))
        return bad(op,
                   written.contains(b)
                       ? "it reads a buffer whose bytes another one has taken, or that one path "
                         "does not write"
                       : "it reads a buffer that nothing has written");
    return {};
  }

  /// What holds whichever of two paths was taken. A buffer made inside `op` by the other path only
  /// does not exist on this one.
  static Buffers meet(Operation *op, const Buffers &a, const Buffers &b,
                      function_ref<bool(vm::BufferOp)> onA, function_ref<bool(vm::BufferOp)> onB) {
    Buffers both;
    for (const Buffers *set : {&a, &b})
      for (vm::BufferOp x : *set) {
        bool inside = op->isProperAncestor(x);
        if ((a.contains(x) || (inside && !onA(x))) && (b.contains(x) || (inside && !onB(x))))
          both.insert(x);
      }
    return both;
  }

  /// An earlier round's buffers inside `op` are out of scope, and their places free.
  void leave(Operation *op) {
    holding.remove_if(
        [&](vm::BufferOp b) { return offsets.contains(b) && op->isProperAncestor(b); });
  }

  Status visitIf(relay::IfOp op) {
    if (auto s = read(op, op.getCondition()); !s)
      return s;
    leave(op);
    const Buffers before = holding;
    if (auto s = region(op.getThenRegion()); !s)
      return s;
    const Buffers then = std::exchange(holding, before);
    if (auto s = region(op.getElseRegion()); !s)
      return s;
    auto in = [](Region &r) {
      return [&r](vm::BufferOp b) { return r.isAncestor(b->getParentRegion()); };
    };
    holding = meet(op, then, holding, in(op.getThenRegion()), in(op.getElseRegion()));
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Buffers set = may.lookup(op.thenYield().getOperand(i));
      set.insert_range(may.lookup(op.elseYield().getOperand(i)));
      may[result] = std::move(set);
    }
    return {};
  }

  /// cond; (body; cond)*: walked twice, and until neither what values may be nor what holds at the
  /// head changes.
  Status visitLoop(relay::LoopOp op) {
    for (Value v : op.getInits())
      if (auto s = read(op, v); !s)
        return s;
    leave(op);
    auto carry = [&](unsigned i, const Buffers &set) {
      bool grew = false;
      for (Region *r : {&op.getCondRegion(), &op.getBodyRegion()}) {
        Buffers &known = may[r->getArgument(i)];
        size_t size = known.size();
        known.insert_range(set);
        grew |= known.size() != size;
      }
      return grew;
    };
    for (unsigned i = 0; i < op.getInits().size(); ++i) {
      for (Region *r : {&op.getCondRegion(), &op.getBodyRegion()})
        may[r->getArgument(i)] = {};
      carry(i, may.lookup(op.getInits()[i]));
    }
    auto never = [](vm::BufferOp) { return false; };
    auto always = [](vm::BufferOp) { return true; };
    std::optional<Buffers> exit;
    bool changed = true;
    for (int round = 0; changed || round < 2; ++round) {
      const Buffers head = holding;
      if (auto s = region(op.getCondRegion()); !s)
        return s;
      exit = exit ? meet(op, *exit, holding, never, always) : holding;
      if (auto s = region(op.getBodyRegion()); !s)
        return s;
      changed = false;
      for (auto [i, y] : llvm::enumerate(op.bodyYield().getOperands())) {
        const Buffers next = may.lookup(y);
        for (vm::BufferOp b : next)
          if (offsets.contains(b))
            return bad(op, "a value carried by a loop lies in the arena, where the next "
                           "iteration writes");
        changed |= carry(i, next);
      }
      leave(op);
      holding = meet(op, head, holding, never, always);
      auto inHead = [&](vm::BufferOp b) { return head.contains(b); };
      changed |= holding.size() != head.size() || !llvm::all_of(holding, inHead);
    }
    holding = *exit; // on every way out: after none, one or more iterations
    leave(op);
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      may[result] = Buffers(may.lookup(op.getCondRegion().getArgument(i)));
    return {};
  }

  relay::FuncOp func;
  DenseMap<std::tuple<StringAttr, StringAttr, Type, Type>, bool> proofs;
  DimFacts facts;
  llvm::StringSet<> atEntry;
  DimExpr arena = 0;
  DenseMap<vm::BufferOp, DimExpr> offsets; // of those in the arena
  DenseMap<Value, Buffers> may;            // a value that is missing has no storage known
  Buffers holding;                         // buffers whose own bytes are in their place
  Buffers written;                         // buffers that a launch wrote since they were made
};

} // namespace

Status checkPlan(relay::FuncOp func) { return Walk(func).run(); }

} // namespace imbrex::memory
