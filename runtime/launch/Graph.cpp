#include "runtime/launch/Graph.h"

namespace imbrex::launch {

/// Adds the parts of `use` that no box of `written` covers.
static void addOuterReads(const Use &use, const std::vector<Use> &written,
                          std::vector<Use> &outer) {
  std::vector<Box> open{use.box};
  for (const Use &w : written) {
    if (w.buffer != use.buffer)
      continue;
    std::vector<Box> rest;
    for (const Box &box : open)
      for (Box &b : subtract(box, w.box))
        rest.push_back(std::move(b));
    open = std::move(rest);
  }
  for (Box &box : open)
    outer.push_back({use.buffer, std::move(box), true, false, use.site, use.operand});
}

std::vector<Use> Capture::outerUses() const {
  std::vector<Use> reads, writes;
  for (const Node &node : nodes) {
    for (const Use &use : node.uses)
      if (use.reads)
        addOuterReads(use, writes, reads);
    for (const Use &use : node.uses)
      if (use.writes)
        writes.push_back({use.buffer, use.box, false, true, use.site, use.operand});
  }
  reads.insert(reads.end(), writes.begin(), writes.end());
  return reads;
}

Status Capture::add(const Launch &launch, KernelCall call, std::vector<Use> uses) {
  if (device && device != launch.device())
    return badInput(280, what() + " is refused: its kernels are for different devices");
  device = launch.device();
  auto more = std::make_shared<KernelCalls>(*calls);
  more->push_back(std::make_shared<const KernelCall>(std::move(call)));
  calls = std::move(more);
  nodes.push_back({launch.kernel, std::move(uses)});
  outer = outerUses();
  return {};
}

Status Capture::replay(Starting &at) {
  if (at.capture)
    return badInput(290, what() + " is replayed within another graph", "", "recording both as one");
  Work work{.what = what()};
  std::vector<Use> uses;
  {
    std::lock_guard lock(mutex);
    work.calls = calls;
    uses = outer;
  }
  if (work.calls->empty())
    return {};
  if (at.device != device.get())
    return badInput(280, what() + " is refused: the stream is of another device");
  return at.issue(std::move(work), uses, {});
}

Status Capture::rebind(const std::shared_ptr<Buffer> &from, const std::shared_ptr<Buffer> &to) {
  if (!from || !to)
    return badInput(288, what() + " cannot be changed: a tensor was given away or is none");
  std::lock_guard lock(mutex);
  bool used = false;
  std::vector<Node> changed = nodes;
  auto fresh = std::make_shared<KernelCalls>();
  for (Node &node : changed) {
    Launch launch{node.kernel, {}};
    for (const Use &use : node.uses) {
      const bool swap = use.buffer == from;
      used |= swap;
      if (swap && use.writes)
        return badInput(290, what() + " cannot be changed: it writes the tensor made at " +
                                 text(from->made));
      const bool whole = use.box == wholeBox(from->shape);
      Loan loan;
      loan.borrow = std::make_unique<Borrow>(
          swap ? to : use.buffer, swap && whole ? wholeBox(to->shape) : use.box,
          use.writes ? Borrowing::Write : Borrowing::Read, use.site, Borrow::Listing::Dormant);
      if (swap && (to->shape.size() != use.box.size() ||
                   !subtract(loan.borrow->box, wholeBox(to->shape)).empty()))
        return badInput(280, what() + " cannot be changed: it reads the part " + text(use.box) +
                                 ", which the other tensor does not have");
      launch.loans.push_back(std::move(loan));
    }
    node.uses.clear();
    auto call = launch.prepare(node.uses);
    if (!call)
      return call.takeError();
    fresh->push_back(std::make_shared<const KernelCall>(call.take()));
  }
  if (!used)
    return badInput(290, what() + " cannot be changed: it does not use the tensor made at " +
                             text(from->made));
  nodes = std::move(changed);
  calls = std::move(fresh);
  outer = outerUses();
  return {};
}

} // namespace imbrex::launch
