#include "compiler/passes/memory/PlanMemory.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace imbrex::memory {

using namespace mlir;

static DimExpr exactBytes(relay::TensorType type) {
  DimExpr bytes = byteSize(type.getDType());
  for (const DimExpr &d : type.getDims())
    bytes = bytes * d;
  return bytes;
}

DimExpr storageBytes(relay::TensorType type) {
  DimExpr bytes = exactBytes(type);
  if (auto c = bytes.constant())
    return std::max<int64_t>(64, (*c + 63) / 64 * 64);
  return ceilDiv(bytes, 64) * 64 + 64;
}

namespace {

/// Where each operation stands, and where each loop ends.
struct Order {
  DenseMap<Operation *, int64_t> first, last;
  explicit Order(relay::FuncOp func) {
    int64_t next = 0;
    std::function<void(Region &)> number = [&](Region &region) {
      for (Block &block : region)
        for (Operation &op : block) {
          first[&op] = next++;
          for (Region &inner : op.getRegions())
            number(inner);
          last[&op] = next++;
        }
    };
    number(func.getBody());
  }
  /// The end of the outermost loop around `op` that does not hold `definition`, or op's own place.
  int64_t endOf(Operation *op, Operation *definition) const {
    int64_t end = first.lookup(op);
    for (Operation *at = op->getParentOp(); at && !isa<relay::FuncOp>(at); at = at->getParentOp())
      if (isa<relay::LoopOp>(at) && !at->isAncestor(definition))
        end = std::max(end, last.lookup(at));
    return end;
  }
};

/// Follows a buffer's bytes through the values that may hold them.
void follow(Value value, const Order &order, Lifetime &life, DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    life.last = std::max(life.last, order.endOf(user, life.buffer));
    if (isa<relay::ReturnOp>(user)) {
      life.escapes = true;
    } else if (auto alias = dyn_cast<vm::AliasOp>(user)) {
      follow(alias.getResult(), order, life, seen);
    } else if (auto call = dyn_cast<relay::CallOp>(user)) {
      // The function called may return what it was given.
      for (Value result : call.getResults())
        follow(result, order, life, seen);
    } else if (auto loop = dyn_cast<relay::LoopOp>(user)) {
      // The initial value: read as an argument of both regions until the loop ends.
      life.last = std::max(life.last, order.last.lookup(loop));
      for (Region &region : loop->getRegions())
        follow(region.getArgument(use.getOperandNumber()), order, life, seen);
      follow(loop.getResult(use.getOperandNumber()), order, life, seen);
    } else if (auto yield = dyn_cast<relay::YieldOp>(user)) {
      Operation *parent = yield->getParentOp();
      auto loop = dyn_cast<relay::LoopOp>(parent);
      if (isa<relay::IfOp>(parent))
        follow(parent->getResult(use.getOperandNumber()), order, life, seen);
      else if (!loop ||
               yield->getParentRegion() != &loop.getCondRegion()) // what decides is read at once
        life.escapes = true; // a loop's body writes it again while the last value is still read
    }
  }
}

/// A stretch of the arena and when it is taken.
struct Taken {
  int64_t offset, bytes, first, last;
};

int64_t firstFit(std::vector<Taken> &taken, int64_t bytes, int64_t first, int64_t last) {
  std::vector<const Taken *> overlapping;
  for (const Taken &t : taken)
    if (t.first <= last && first <= t.last)
      overlapping.push_back(&t);
  std::sort(overlapping.begin(), overlapping.end(),
            [](const Taken *a, const Taken *b) { return a->offset < b->offset; });
  int64_t offset = 0;
  for (const Taken *t : overlapping) {
    if (offset + bytes <= t->offset)
      break;
    offset = std::max(offset, t->offset + t->bytes);
  }
  taken.push_back({offset, bytes, first, last});
  return offset;
}

} // namespace

SmallVector<Lifetime> lifetimes(relay::FuncOp func) {
  Order order(func);
  SmallVector<Lifetime> out;
  func.walk<WalkOrder::PreOrder>([&](vm::BufferOp buffer) {
    Lifetime life{buffer, order.first.lookup(buffer), order.first.lookup(buffer), false};
    DenseSet<Value> seen;
    follow(buffer.getResult(), order, life, seen);
    out.push_back(life);
  });
  return out;
}

namespace {

/// Places for buffers of symbolic sizes above the fixed ones: a stretch for each expression and
/// each set of buffers alive together. A stretch is taken only where CheckPlan's proofs succeed;
/// sizes that cannot be compared get storage of their own.
class Stretches {
public:
  Stretches(relay::FuncOp func, int64_t end) : facts(relay::factsAt(func)), fixed(end), top(end) {
    for (relay::SymbolAttr s : func.symbolList())
      atEntry.insert(s.getName());
  }

  /// The offset for a buffer; nothing when it is to have storage of its own.
  std::optional<DimExpr> place(const Lifetime &life) {
    const auto type = relay::tensorType(const_cast<vm::BufferOp &>(life.buffer).getResult());
    const DimExpr bytes = storageBytes(type), exact = exactBytes(type);
    // The arena is made at entry: a size that is known only later has no place there, and neither
    // has one that may be under a line of memory (in a branch that such sizes do not take), or
    // whose rounding up cannot be proven to hold it.
    if (!knownAtEntry(bytes) || !facts.provenAtLeast(bytes, 64) ||
        !facts.provenAtLeast(bytes - exact, 0))
      return std::nullopt;
    for (Stretch &s : all)
      if (s.bytes == bytes && s.isFree(life) && holds(s, exact, top)) {
        s.take(life, exact);
        return s.offset;
      }
    // Each further one makes every offset after it a longer sum, and the checker's proofs with it.
    constexpr size_t kMaxStretches = 12;
    Stretch fresh{bytes, top, {}, {}};
    const DimExpr newTop = top + bytes;
    if (all.size() == kMaxStretches || !newTop.valid() || !fits(fresh, exact, newTop))
      return std::nullopt;
    fresh.take(life, exact);
    all.push_back(fresh);
    top = newTop;
    return fresh.offset;
  }

  const DimExpr &arena() const { return top; }

private:
  struct Stretch {
    DimExpr bytes, offset;
    SmallVector<DimExpr> exact; // of its buffers
    SmallVector<std::pair<int64_t, int64_t>> times;

    bool isFree(const Lifetime &life) const {
      return llvm::none_of(times,
                           [&](auto t) { return t.first <= life.last && life.first <= t.second; });
    }
    void take(const Lifetime &life, const DimExpr &bytes) {
      times.push_back({life.first, life.last});
      if (!llvm::is_contained(exact, bytes))
        exact.push_back(bytes);
    }
  };

  bool knownAtEntry(const DimExpr &e) const {
    return llvm::all_of(e.symbols(), [&](const std::string &s) { return atEntry.contains(s); });
  }
  /// A buffer of these bytes in `s` ends before `end`, as the checker has to prove.
  bool holds(const Stretch &s, const DimExpr &exact, const DimExpr &end) const {
    return facts.provenAtLeast(end - s.offset - exact, 0) &&
           facts.provenAtLeast(end - s.offset - 64, 0);
  }
  /// The checker's proofs with `fresh` on top: it and all others lie in the arena, apart.
  bool fits(const Stretch &fresh, const DimExpr &exact, const DimExpr &newTop) const {
    if (!facts.provenAtLeast(fresh.offset, 0) || !facts.provenMultiple(fresh.offset, 64) ||
        !holds(fresh, exact, newTop) || !facts.provenAtLeast(newTop - fixed, 0) ||
        !facts.provenAtLeast(fresh.offset - fixed, 0))
      return false;
    return llvm::all_of(all, [&](const Stretch &s) {
      return llvm::all_of(s.exact, [&](const DimExpr &bytes) {
        return holds(s, bytes, newTop) && facts.provenAtLeast(fresh.offset - s.offset - bytes, 0);
      });
    });
  }

  const DimFacts facts;
  llvm::StringSet<> atEntry;
  DimExpr fixed, top;
  std::vector<Stretch> all;
};

} // namespace

void planMemory(relay::FuncOp func) {
  OpBuilder b(func.getContext());
  auto lives = lifetimes(func);
  std::stable_sort(lives.begin(), lives.end(), [](const Lifetime &x, const Lifetime &y) {
    auto size = [](const Lifetime &l) {
      return storageBytes(relay::tensorType(const_cast<vm::BufferOp &>(l.buffer).getResult()))
          .constant()
          .value_or(-1);
    };
    return size(x) > size(y);
  });
  std::vector<Taken> taken;
  int64_t end = 0;
  auto fixedBytes = [](Lifetime &l) {
    return storageBytes(relay::tensorType(l.buffer.getResult())).constant();
  };
  for (Lifetime &l : lives) {
    auto bytes = fixedBytes(l);
    if (l.escapes || !bytes)
      continue;
    int64_t offset = firstFit(taken, *bytes, l.first, l.last);
    end = std::max(end, offset + *bytes);
    l.buffer.setOffsetAttr(b.getStringAttr(std::to_string(offset)));
  }
  Stretches stretches(func, end);
  for (Lifetime &l : lives)
    if (!l.escapes && !fixedBytes(l))
      if (auto offset = stretches.place(l))
        l.buffer.setOffsetAttr(b.getStringAttr(offset->str()));
  func->setAttr(kArena, b.getStringAttr(stretches.arena().str()));
}

} // namespace imbrex::memory
