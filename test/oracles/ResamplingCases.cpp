// Permutation tests and the bootstrap. Arguments: x, y; groups; samples and seed; method of the
// bootstrap.
#include "stats/procedures/resampling/Bootstrap.h"
#include "stats/procedures/resampling/Permutation.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

PermutationOptions optionsOf(const Json &a) {
  PermutationOptions options;
  if (a.has("samples")) {
    options.exactLimit = 1;
    options.samples = a.at("samples").toInt();
  }
  return options;
}

BootstrapMethod methodOf(const Json &a) {
  std::string name = a.at("method").toText();
  return name == "percentile" ? BootstrapMethod::Percentile
         : name == "basic"    ? BootstrapMethod::Basic
                              : BootstrapMethod::BCa;
}

TestResult bootstrapOf(const Json &a) {
  BootstrapOptions options{.method = methodOf(a), .samples = a.at("samples").toInt(), .level = .9};
  return bootstrapDifference(numbersOf(a.at("x")), numbersOf(a.at("y")), Centre::Mean, options);
}

} // namespace

void addResampling(Registry &r) {
  r["permutation"] = [](const Json &a) {
    return permutationTwoGroups(numbersOf(a.at("x")), numbersOf(a.at("y")),
                                GroupStatistic::MeanDifference, optionsOf(a));
  };
  r["permutation_paired"] = [](const Json &a) {
    return permutationPaired(numbersOf(a.at("x")), numbersOf(a.at("y")), optionsOf(a));
  };
  r["permutation_corr"] = [](const Json &a) {
    return permutationCorrelation(numbersOf(a.at("x")), numbersOf(a.at("y")), optionsOf(a));
  };
  r["permutation_f"] = [](const Json &a) {
    return permutationGroups(groupsOf(a.at("groups")), optionsOf(a));
  };
  r["bootstrap"] = bootstrapOf;
}

} // namespace imbrex::stats::oracles
