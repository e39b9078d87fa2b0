// From a hypothesis and its data to the numbers of one procedure: which group is first, which tail
// counts, which conventions hold.
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"
#include "stats/select/Knowledge.h"
#include "stats/select/Situation.h"

#include <functional>

namespace imbrex::stats {

/// Two categories in the order of a prediction.
struct Contrast {
  size_t first = 0, second = 1; // categories of the compared variable
  Alternative alternative = Alternative::TwoSided;
  double factor = 1;            // second group times factor
  std::optional<double> margin; // equivalence: two one-sided tests
  std::string text;             // "1 > 0"
};

struct Computed {
  TestResult result;
  Alternative alternative = Alternative::TwoSided; // the tail that the prediction is about
  std::optional<PValue> p;         // of that tail; of an equivalence test the larger one
  std::string prediction;          // "1 > 0"; empty when there is none
  std::vector<std::string> groups; // names, in the order of the procedure
};

/// What stands behind all computations of a hypothesis.
struct ComputeSetting {
  const Situation &situation;
  Conventions conventions;
  double level = 0.95; // of intervals
};

/// The study's conventions; those of the published programs under the rules tea-2019 when it names
/// none.
Conventions conventionsOf(const Study &study);
ComputeSetting settingFor(const Situation &situation);

bool computationExists(std::string_view id);
/// Runs `computation`, whether it is valid or not. The answer may be Undefined or Refused, with the
/// reason; so it is for data that the computation does not apply to. `contrast`: for two categories
/// of a variable with more of them.
Computed compute(std::string_view computation, const ComputeSetting &setting,
                 const Contrast *contrast = nullptr);

/// The comparisons of a hypothesis about categories of `variable`.
std::vector<Contrast> contrastsOf(const Situation &situation, const Variable &variable);
/// What compares two categories as `computation` compares several; "" when there is nothing.
std::string_view pairwiseComputation(std::string_view computation);

/// Where all pairs of categories are compared by one test each: which.
std::string_view eachPairComputation(std::string_view computation);
/// All pairs of categories, without direction.
std::vector<Contrast> pairsOf(const Variable &variable);

/// Comparisons of the categories of one variable.
struct FollowUp {
  std::string variable;
  TestResult result;
};
/// After `omnibus`, the result of `computation` for several groups or factors: the planned
/// comparisons of the hypothesis; else all pairs, of several factors those whose terms are
/// significant: marginal means of three and more categories, simple effects where factors interact.
/// p-values adjusted for their number. Nothing where there is nothing to follow up.
std::vector<FollowUp> followUp(std::string_view computation, const TestResult &omnibus,
                               const ComputeSetting &setting);

/// Equality within a margin: two one-sided tests, of more than -margin and of less than margin
/// (Schuirmann 1987). `test` tests against a shift; `c` holds its result without one.
void decideEquivalence(Computed &c, double margin, const std::function<TestResult(double)> &test);

/// Says how many participants were left out because a condition is missing.
void noteIncomplete(TestResult &result, const Matched &matched);

using Computation = Computed (*)(const ComputeSetting &, const Contrast *);
struct NamedComputation {
  std::string_view id;
  Computation compute;
};
/// The families, each in a file of its own.
const std::vector<NamedComputation> &twoGroupComputations();
const std::vector<NamedComputation> &severalGroupComputations();
const std::vector<NamedComputation> &relationComputations();
const std::vector<NamedComputation> &modelComputations();
/// Two categories of one of several factors; not in the knowledge base, since they follow others.
const std::vector<NamedComputation> &comparisonComputations();

} // namespace imbrex::stats
