// Correlations. Arguments: x, y; z [covariates]; conventions "R-4.2" or "SciPy"; exact true: over
// all arrangements, whatever the conventions say; continuity true.
#include "stats/procedures/association/Kendall.h"
#include "stats/procedures/association/PartialCorrelation.h"
#include "stats/procedures/association/Pearson.h"
#include "stats/procedures/association/PointBiserial.h"
#include "stats/procedures/association/Spearman.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

Conventions conventionsOf(const Json &a) {
  Conventions c =
      a.at("conventions").toText() == "SciPy" ? Conventions::SciPy() : Conventions::R42();
  if (a.at("exact").toBool())
    c.kendallExact = c.spearmanExact = ExactRule::Always;
  if (a.at("asymptotic").toBool())
    c.kendallExact = ExactRule::Never;
  if (a.at("continuity").toBool())
    c.kendallContinuity = Continuity::Half;
  return c;
}

} // namespace

void addAssociation(Registry &r) {
  r["pearson_corr"] = [](const Json &a) {
    return pearson(numbersOf(a.at("x")), numbersOf(a.at("y")));
  };
  r["pointbiserial_corr"] = [](const Json &a) {
    return pointBiserial(numbersOf(a.at("x")), numbersOf(a.at("y")));
  };
  r["partial_corr"] = [](const Json &a) {
    return partialCorrelation(numbersOf(a.at("x")), numbersOf(a.at("y")), groupsOf(a.at("z")));
  };
  r["spearman_corr"] = [](const Json &a) {
    return spearman(numbersOf(a.at("x")), numbersOf(a.at("y")), conventionsOf(a));
  };
  r["kendalltau_corr"] = [](const Json &a) {
    return kendall(numbersOf(a.at("x")), numbersOf(a.at("y")), conventionsOf(a));
  };
}

} // namespace imbrex::stats::oracles
