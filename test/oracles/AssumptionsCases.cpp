// Checks of assumptions. Arguments: x; or groups and centre ("mean", "median", "trimmed").
#include "stats/assumptions/Normality.h"
#include "stats/assumptions/Variances.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {

void addAssumptions(Registry &r) {
  r["shapiro_wilk"] = [](const Json &a) { return shapiroWilk(numbersOf(a.at("x"))); };
  r["levene"] = [](const Json &a) {
    std::string centre = a.at("centre").toText();
    return levene(groupsOf(a.at("groups")), centre == "mean"      ? LeveneCentre::Mean
                                            : centre == "trimmed" ? LeveneCentre::TrimmedMean
                                                                  : LeveneCentre::Median);
  };
  r["bartlett"] = [](const Json &a) { return bartlett(groupsOf(a.at("groups"))); };
  r["fligner_killeen"] = [](const Json &a) { return flignerKilleen(groupsOf(a.at("groups"))); };
}

} // namespace imbrex::stats::oracles
