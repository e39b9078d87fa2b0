// Adjusted p-values and comparisons of pairs; power. Arguments: p, groups, method (as R's p.adjust
// names it); those of power by their names there.
#include "stats/procedures/posthoc/ComparisonsOfMeans.h"
#include "stats/procedures/posthoc/ComparisonsOfRanks.h"
#include "stats/procedures/power/Power.h"
#include "test/oracles/Registry.h"

#include <cmath>

namespace imbrex::stats::oracles {
namespace {

Adjustment adjustmentOf(const Json &a) {
  std::string name = a.at("method").toText();
  for (auto [wanted, adjustment] :
       {std::pair{"bonferroni", Adjustment::Bonferroni}, std::pair{"holm", Adjustment::Holm},
        std::pair{"hochberg", Adjustment::Hochberg}, std::pair{"BH", Adjustment::BenjaminiHochberg},
        std::pair{"BY", Adjustment::BenjaminiYekutieli}})
    if (name == wanted)
      return adjustment;
  return Adjustment::None;
}

NamedGroups named(const Json &a) {
  NamedGroups groups{groupsOf(a.at("groups")), {}};
  return groups;
}

TestResult adjusted(const Json &a) {
  std::vector<double> p;
  for (const Json &item : a.at("p").items())
    p.push_back(item.isNumber() ? item.toDouble() : std::nan(""));
  TestResult result;
  std::vector<double> values = adjustPValues(p, adjustmentOf(a));
  for (size_t i = 0; i < values.size(); ++i)
    result.statistics.push_back({"p" + std::to_string(i), values[i]});
  return result;
}

TestResult ofPower(double power) {
  TestResult result;
  result.statistics = {{"power", power}};
  return result;
}

Alternative sideOf(const Json &a) {
  std::string side = a.at("alternative").toText();
  return side == "less"      ? Alternative::Less
         : side == "greater" ? Alternative::Greater
                             : Alternative::TwoSided;
}

double get(const Json &a, const char *name) { return a.at(name).toDouble(); }

void addPower(Registry &r) {
  r["power_t1"] = [](const Json &a) {
    return ofPower(powerOneSampleT(get(a, "d"), get(a, "n"), get(a, "alpha"), sideOf(a)));
  };
  r["power_t2"] = [](const Json &a) {
    return ofPower(
        powerTwoSampleT(get(a, "d"), get(a, "n"), get(a, "m"), get(a, "alpha"), sideOf(a)));
  };
  r["power_anova"] = [](const Json &a) {
    return ofPower(powerAnova(get(a, "f"), get(a, "k"), get(a, "n"), get(a, "alpha")));
  };
  r["power_chisq"] = [](const Json &a) {
    return ofPower(powerChiSquare(get(a, "w"), get(a, "n"), get(a, "df"), get(a, "alpha")));
  };
  r["power_proportions"] = [](const Json &a) {
    double h = effectOfProportions(get(a, "p1"), get(a, "p2"));
    return ofPower(powerTwoProportions(h, get(a, "n"), get(a, "m"), get(a, "alpha"), sideOf(a)));
  };
  r["power_r"] = [](const Json &a) {
    return ofPower(powerCorrelation(get(a, "r"), get(a, "n"), get(a, "alpha"), sideOf(a)));
  };
  r["size_t2"] = [](const Json &a) {
    double d = get(a, "d"), alpha = get(a, "alpha");
    auto size =
        solveSize([&](double n) { return powerTwoSampleT(d, n, n, alpha, Alternative::TwoSided); },
                  get(a, "power"));
    return ofPower(size ? size->exact : std::nan(""));
  };
}

} // namespace

void addPosthoc(Registry &r) {
  r["adjust"] = adjusted;
  r["pairwise_t"] = [](const Json &a) { return pairwiseT(named(a), adjustmentOf(a)); };
  r["pairwise_welch"] = [](const Json &a) {
    return pairwiseT(named(a), adjustmentOf(a), Deviation::OwnWelch);
  };
  r["pairwise_paired_t"] = [](const Json &a) { return pairwisePairedT(named(a), adjustmentOf(a)); };
  r["tukey_hsd"] = [](const Json &a) { return tukeyHsd(named(a)); };
  r["games_howell"] = [](const Json &a) { return gamesHowell(named(a)); };
  r["dunn"] = [](const Json &a) { return dunn(named(a), adjustmentOf(a)); };
  r["conover"] = [](const Json &a) { return conover(named(a), adjustmentOf(a)); };
  r["nemenyi"] = [](const Json &a) { return nemenyi(named(a)); };
  r["conover_blocks"] = [](const Json &a) { return conoverBlocks(named(a), adjustmentOf(a)); };
  r["nemenyi_blocks"] = [](const Json &a) { return nemenyiBlocks(named(a)); };
  addPower(r);
}

} // namespace imbrex::stats::oracles
