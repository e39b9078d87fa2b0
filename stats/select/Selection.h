// Which procedures are valid for a hypothesis, and why the others are not.
//
// Each procedure is equivalent to the conjunction of what it requires; properties imply each other
// (Knowledge.h). A solver holds these formulas and what is known so far. A procedure is tried by
// asking for it: while the solver finds it possible, its cheapest open property is measured; so no
// test of an assumption is made that cannot matter any more. What the solver refutes comes with the
// facts that refute it.
#pragma once

#include "stats/select/Knowledge.h"
#include "stats/select/Measure.h"

#include <memory>

namespace imbrex::stats {

/// Where a property's answer comes from.
enum class Source : uint8_t { None, Declaration, Data, Assumption };

struct PropertyInstance {
  const Property *property = nullptr; // nullptr: a role that nothing fills
  std::vector<std::string> variables; // one for each parameter; a variadic one first
  Evidence evidence;                  // as measured, also where an assumption overrides it
  Source source = Source::None;
  Answer answer = Answer::Open; // what counts

  std::string sentence() const; // "Prob has equal variance in the groups of So", or its opposite
  std::string positive() const; // the sentence when it holds
};

enum class Validity : uint8_t { Valid, Rejected, Open };

struct ProcedureVerdict {
  const Procedure *procedure = nullptr;
  Validity validity = Validity::Open;
  std::vector<size_t> requirements; // indices of instances
  std::vector<size_t> decisive;     // those that refuted it: a subset that suffices
};

/// An assumption that the data contradicts, or that no procedure asks for.
struct AssumptionNote {
  std::string text;
  bool contradicted = false;
};

class Selection {
public:
  /// All must outlive this. E1254 when the knowledge has no such rules.
  static Result<std::unique_ptr<Selection>>
  create(const Knowledge &knowledge, const std::string &rules, const Situation &situation);
  ~Selection();
  Selection(const Selection &) = delete; // the solver refers to its parts

  /// Decides all procedures. Cost: the measurements that are needed; solver time in milliseconds.
  void run();
  /// Measures everything that a procedure requires and returns what is violated or undefined.
  std::vector<size_t> violated(const ProcedureVerdict &verdict);
  /// The least set of properties that would have to change for `verdict` to be valid, as indices;
  /// nothing when no data could make it valid, because they contradict each other.
  std::optional<std::vector<size_t>> wanted(const ProcedureVerdict &verdict);

  const std::vector<ProcedureVerdict> &verdicts() const { return procedures; }
  const std::vector<PropertyInstance> &instances() const { return properties; }
  const std::vector<AssumptionNote> &assumptionNotes() const { return notes; }
  std::vector<const ProcedureVerdict *> valid() const; // in order of preference
  const ProcedureVerdict *find(std::string_view id) const;
  /// Tests of assumptions that were made: each spends error probability.
  size_t propertyTests() const;
  double threshold() const;

private:
  friend class Planner;
  struct Solver;
  Selection(const Knowledge &knowledge, const std::string &rules, const Situation &situation);

  void build();
  Solver &theSolver();
  std::vector<size_t> instancesFor(const Requirement &requirement);
  size_t intern(const Property *property, std::vector<std::string> variables, std::string missing);
  void know(size_t index);
  void assume();
  void tryProcedure(ProcedureVerdict &verdict);

  const Knowledge *knowledge;
  std::string rules;
  const Situation *situation;
  std::vector<PropertyInstance> properties;
  std::vector<ProcedureVerdict> procedures;
  std::vector<AssumptionNote> notes;
  std::unique_ptr<Solver> solver;
};

} // namespace imbrex::stats
