#include "compiler/passes/graph/FusionGroups.h"

using namespace mlir;

namespace imbrex::relay {

// Bounds of one kernel's code: what is compiled as one loop costs more than its parts.
static constexpr size_t kMaxMembers = 32;
static constexpr uint32_t kMaxExpensive = 16;
static constexpr uint32_t kMaxNodes = 2048;

FusionGroups::FusionGroups(Block &block, const DimFacts &facts) : facts(facts) {
  for (ApplyOp apply : block.getOps<ApplyOp>()) {
    unsigned index = ops.size();
    indexOf[apply] = index;
    ops.push_back(apply);
    classes.push_back(classifyForFusion(apply, facts));
    FusionGroup group;
    group.members.push_back(index);
    if (isAnchor(classes.back().kind))
      group.anchor = index;
    all.push_back(group);
    groupOf.push_back(index);
  }
  mergeWhere(&FusionGroups::canChain);
  mergeWhere(&FusionGroups::canBeEpilogue);
  mergeWhere(&FusionGroups::canBePrologue);
}

std::vector<FusionGroup> FusionGroups::groups() const {
  std::vector<FusionGroup> list;
  for (unsigned i = 0; i < ops.size(); ++i)
    if (classes[i].kind != FusionKind::Opaque && all[groupOf[i]].sink() == i)
      list.push_back(all[groupOf[i]]);
  return list;
}

/// The one group whose members are all the users of a group's sink; nothing when a result is used
/// elsewhere.
std::optional<unsigned> FusionGroups::onlyConsumer(unsigned group) const {
  std::optional<unsigned> consumer;
  ApplyOp sink = ops[all[group].sink()];
  for (Operation *user : sink->getUsers()) {
    auto found = indexOf.find(user);
    if (found == indexOf.end() || (consumer && *consumer != groupOf[found->second]))
      return std::nullopt;
    consumer = groupOf[found->second];
  }
  return consumer;
}

/// Merges each group into its only consumer where the rule allows it; last producers first, so that
/// a producer meets its consumer's final group.
void FusionGroups::mergeWhere(Rule rule) {
  for (unsigned i = ops.size(); i-- > 0;) {
    unsigned from = groupOf[i];
    if (all[from].sink() != i)
      continue;
    std::optional<unsigned> to = onlyConsumer(from);
    if (!to || !fitsOneKernel(all[from], all[*to]) || !(this->*rule)(all[from], all[*to]))
      continue;
    for (unsigned member : all[from].members) {
      groupOf[member] = *to;
      all[*to].members.push_back(member);
    }
    llvm::sort(all[*to].members);
    if (all[from].anchor)
      all[*to].anchor = all[from].anchor;
    all[from] = {};
  }
}

bool FusionGroups::fitsOneKernel(const FusionGroup &a, const FusionGroup &b) const {
  uint32_t nodes = 0, expensive = 0;
  for (unsigned member : llvm::concat<const unsigned>(a.members, b.members)) {
    nodes += classes[member].nodes;
    expensive += classes[member].expensive;
  }
  return a.members.size() + b.members.size() <= kMaxMembers && nodes <= kMaxNodes &&
         expensive <= kMaxExpensive;
}

bool FusionGroups::sameShape(unsigned a, unsigned b) const {
  auto dims = [&](unsigned i) { return tensorType(ApplyOp(ops[i]).getResult(0)).getDims(); };
  auto left = dims(a), right = dims(b);
  return left.size() == right.size() &&
         llvm::all_of(llvm::zip_equal(left, right), [&](const auto &pair) {
           return facts.provenEqual(std::get<0>(pair), std::get<1>(pair));
         });
}

bool FusionGroups::isCheap(const FusionGroup &group) const {
  return llvm::all_of(group.members, [&](unsigned m) { return classes[m].cheap; });
}

bool FusionGroups::movesOnly(const FusionGroup &group) const {
  return llvm::all_of(group.members, [&](unsigned m) { return classes[m].movesOnly; });
}

bool FusionGroups::canChain(const FusionGroup &producer, const FusionGroup &consumer) const {
  auto elementwise = [&](unsigned m) { return classes[m].kind == FusionKind::Elementwise; };
  return llvm::all_of(producer.members, elementwise) &&
         llvm::all_of(consumer.members, elementwise) && sameShape(producer.sink(), consumer.sink());
}

bool FusionGroups::canBeEpilogue(const FusionGroup &anchored, const FusionGroup &consumer) const {
  auto elementwise = [&](unsigned m) { return classes[m].kind == FusionKind::Elementwise; };
  return anchored.anchor && !consumer.anchor && llvm::all_of(consumer.members, elementwise) &&
         ApplyOp(ops[anchored.sink()])->getNumResults() == 1 &&
         sameShape(anchored.sink(), consumer.sink());
}

/// All reads that operator `user` makes of operator `producer`.
OperandUse FusionGroups::useOf(unsigned user, unsigned producer) const {
  OperandUse sum;
  for (auto [i, operand] : llvm::enumerate(ApplyOp(ops[user]).operatorOperands()))
    if (operand && operand.getDefiningOp() == ops[producer]) {
      sum.reads += classes[user].operands[i].reads;
      sum.eachOnce &= classes[user].operands[i].eachOnce;
    }
  return sum;
}

bool FusionGroups::memberMayRead(const FusionGroup &producer, unsigned user,
                                 const FusionGroup &consumer) const {
  bool feedsAnchor = consumer.anchor && user <= *consumer.anchor;
  if (!feedsAnchor)
    return isCheap(producer) || sameShape(producer.sink(), user);
  if (classes[*consumer.anchor].kind == FusionKind::Contraction)
    return movesOnly(producer);
  if (isCheap(producer))
    return true;
  OperandUse use = useOf(user, producer.sink());
  return user == *consumer.anchor && use.reads == 1 && use.eachOnce;
}

bool FusionGroups::canBePrologue(const FusionGroup &producer, const FusionGroup &consumer) const {
  auto injective = [&](unsigned m) { return isInjective(classes[m].kind); };
  if (!llvm::all_of(producer.members, injective))
    return false;
  if (!consumer.anchor && !llvm::all_of(consumer.members, injective))
    return false; // opaque, or to be alone
  for (Operation *user : ApplyOp(ops[producer.sink()])->getUsers())
    if (!memberMayRead(producer, indexOf.lookup(user), consumer))
      return false;
  return true;
}

} // namespace imbrex::relay
