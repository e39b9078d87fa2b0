// Tests of counts. Arguments: rows, columns, counts (by row); yates "none", "capped" or "full";
// conditions; successes, trials, proportion; x (differences).
#include "stats/procedures/categorical/Binomial.h"
#include "stats/procedures/categorical/ChiSquare.h"
#include "stats/procedures/categorical/CochranQ.h"
#include "stats/procedures/categorical/FisherExact.h"
#include "stats/procedures/categorical/FisherExactTable.h"
#include "stats/procedures/categorical/GoodnessOfFit.h"
#include "stats/procedures/categorical/McNemar.h"
#include "stats/procedures/categorical/SignTest.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

std::vector<int64_t> countsOf(const Json &array) {
  std::vector<int64_t> counts;
  for (const Json &item : array.items())
    counts.push_back(item.toInt());
  return counts;
}

ContingencyTable tableOf(const Json &a) {
  return {{size_t(a.at("rows").toInt()), size_t(a.at("columns").toInt()), countsOf(a.at("counts"))},
          {},
          {}};
}

Yates yatesOf(const Json &a) {
  std::string name = a.at("yates").toText();
  return name == "capped" ? Yates::Capped : name == "full" ? Yates::Full : Yates::None;
}

McNemarMethod methodOf(const Json &a) {
  std::string name = a.at("method").toText();
  return name == "exact"       ? McNemarMethod::Exact
         : name == "corrected" ? McNemarMethod::Corrected
                               : McNemarMethod::Uncorrected;
}

} // namespace

void addCategorical(Registry &r) {
  r["chi_square"] = [](const Json &a) { return chiSquareIndependence(tableOf(a), yatesOf(a)); };
  r["g_test"] = [](const Json &a) { return gTestIndependence(tableOf(a)); };
  r["goodness_of_fit"] = [](const Json &a) {
    return goodnessOfFit(countsOf(a.at("counts")), numbersOf(a.at("proportions")), {});
  };
  r["fishers_exact"] = [](const Json &a) {
    return fisherExact(tableOf(a), OddsRatio::Conditional);
  };
  r["fishers_exact_table"] = [](const Json &a) {
    TableSampling sampling;
    if (a.has("work"))
      sampling.workLimit = a.at("work").toDouble();
    if (a.has("samples")) { // forced, to compare the sampled value with the exact one
      sampling.workLimit = 1;
      sampling.samples = a.at("samples").toInt();
    }
    return fisherExactTable(tableOf(a), sampling);
  };
  r["mcnemar"] = [](const Json &a) { return mcnemar(tableOf(a), methodOf(a)); };
  r["cochran_q"] = [](const Json &a) {
    std::vector<std::vector<int>> answers;
    for (const std::vector<double> &c : groupsOf(a.at("conditions")))
      answers.emplace_back(c.begin(), c.end());
    return cochranQ(answers);
  };
  r["binomial"] = [](const Json &a) {
    return binomialTest(a.at("successes").toInt(), a.at("trials").toInt(),
                        a.at("proportion").toDouble());
  };
  r["sign"] = [](const Json &a) { return signTest(numbersOf(a.at("x"))); };
}

} // namespace imbrex::stats::oracles
