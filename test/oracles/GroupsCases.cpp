// One, two and paired groups. Arguments: x, y; level, mu; conventions "R-4.2", "R-4.6", "SciPy";
// zeros, exact, correct, distance override single ones.
#include "stats/procedures/groups/RankTests.h"
#include "stats/procedures/groups/TTests.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

LocationOptions location(const Json &a) {
  return {a.at("mu").toDouble(0), a.at("level").toDouble(0.95)};
}

RankOptions ranks(const Json &a) {
  RankOptions options;
  std::string name = a.at("conventions").toText();
  options.conventions = name == "SciPy"   ? Conventions::SciPy()
                        : name == "R-4.2" ? Conventions::R42()
                                          : Conventions::R46();
  if (a.has("exact"))
    options.exact = a.at("exact").toBool() ? ExactRule::Always : ExactRule::Never;
  if (a.has("zeros")) {
    std::string zeros = a.at("zeros").toText();
    options.conventions.zeros = zeros == "wilcox"  ? Zeros::Drop
                                : zeros == "pratt" ? Zeros::Pratt
                                                   : Zeros::Split;
  }
  if (a.has("correct")) {
    Continuity continuity = a.at("correct").toBool() ? Continuity::Half : Continuity::None;
    options.conventions.rankSumContinuity = options.conventions.signedRankContinuity = continuity;
  }
  if (a.at("distance").toBool())
    options.conventions.twoSidedExact = TwoSidedExact::Distance;
  options.hypothesised = a.at("mu").toDouble(0);
  options.level = a.at("level").toDouble(0.95);
  return options;
}

} // namespace

void addGroups(Registry &r) {
  r["one_sample_t"] = [](const Json &a) { return oneSampleT(numbersOf(a.at("x")), location(a)); };
  r["students_t"] = [](const Json &a) {
    return studentsT(numbersOf(a.at("x")), numbersOf(a.at("y")), location(a));
  };
  r["welchs_t"] = [](const Json &a) {
    return welchsT(numbersOf(a.at("x")), numbersOf(a.at("y")), location(a));
  };
  r["paired_students_t"] = [](const Json &a) {
    return pairedT(numbersOf(a.at("x")), numbersOf(a.at("y")), location(a));
  };
  r["mannwhitney_u"] = [](const Json &a) {
    return mannWhitney(numbersOf(a.at("x")), numbersOf(a.at("y")), ranks(a));
  };
  r["wilcoxon_signed_rank"] = [](const Json &a) {
    return wilcoxonSignedRank(numbersOf(a.at("x")), numbersOf(a.at("y")), ranks(a));
  };
  r["one_sample_wilcoxon"] = [](const Json &a) {
    return oneSampleWilcoxon(numbersOf(a.at("x")), ranks(a));
  };
  r["brunner_munzel"] = [](const Json &a) {
    return brunnerMunzel(numbersOf(a.at("x")), numbersOf(a.at("y")), a.at("level").toDouble(0.95));
  };
}

} // namespace imbrex::stats::oracles
