#include "stats/select/Plan.h"

#include "stats/select/SelectionSolver.h"

#include <algorithm>

namespace imbrex::stats {

class Planner {
public:
  explicit Planner(Selection &selection) : selection(selection), solver(*selection.solver) {}

  PlanNode grow(size_t depth) {
    size_t question = depth < 12 ? nextQuestion() : SIZE_MAX;
    if (question == SIZE_MAX)
      return leaf();
    PlanNode node;
    node.question = selection.instances()[question].positive();
    node.yes = std::make_unique<PlanNode>(branch(question, Answer::Holds, depth));
    node.no = std::make_unique<PlanNode>(branch(question, Answer::Fails, depth));
    if (same(*node.yes, *node.no)) {
      PlanNode only = std::move(*node.yes);
      return only;
    }
    return node;
  }

private:
  PlanNode branch(size_t question, Answer answer, size_t depth) {
    solver.push();
    solver.suppose(question, answer);
    asked.push_back(question);
    PlanNode node = grow(depth + 1);
    asked.pop_back();
    solver.pop();
    return node;
  }

  /// The cheapest open property of a procedure that is neither certain nor refuted.
  size_t nextQuestion() {
    size_t best = SIZE_MAX;
    const auto &properties = selection.instances();
    for (size_t i = 0; i < selection.verdicts().size(); ++i) {
      const ProcedureVerdict &v = selection.verdicts()[i];
      if (v.validity == Validity::Rejected || !solver.possible(i) || solver.certain(i))
        continue;
      for (size_t r : v.requirements)
        if (properties[r].answer == Answer::Open && properties[r].property &&
            std::find(asked.begin(), asked.end(), r) == asked.end() &&
            (best == SIZE_MAX || properties[r].property->cost < properties[best].property->cost))
          best = r;
    }
    return best;
  }

  PlanNode leaf() {
    PlanNode node;
    for (size_t i = 0; i < selection.verdicts().size(); ++i)
      if (selection.verdicts()[i].validity != Validity::Rejected && solver.certain(i))
        node.valid.push_back(selection.verdicts()[i].procedure->id);
    return node;
  }

  static bool same(const PlanNode &a, const PlanNode &b) {
    if (a.question != b.question || a.valid != b.valid || a.leaf() != b.leaf())
      return false;
    return a.leaf() || (same(*a.yes, *b.yes) && same(*a.no, *b.no));
  }

  Selection &selection;
  Selection::Solver &solver;
  std::vector<size_t> asked;
};

namespace {

std::string leafText(const PlanNode &node) {
  std::string text;
  for (const std::string &id : node.valid)
    text += (text.empty() ? "" : ", ") + id;
  return text.empty() ? "no test is valid: bootstrap" : text;
}

void write(const PlanNode &node, const std::string &indent, std::string &out) {
  if (node.leaf()) {
    out += leafText(node) + "\n";
    return;
  }
  out += node.question + "?\n";
  out += indent + "├─ yes: ";
  write(*node.yes, indent + "│  ", out);
  out += indent + "└─ no:  ";
  write(*node.no, indent + "   ", out);
}

} // namespace

PlanNode planOf(Selection &selection) {
  // What the declaration decides is part of every branch.
  Planner planner(selection);
  return planner.grow(0);
}

std::string planText(const PlanNode &plan) {
  std::string out;
  write(plan, "", out);
  return out;
}

} // namespace imbrex::stats
