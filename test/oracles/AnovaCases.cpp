// Analysis of variance. Arguments: groups; conditions; or y, factors [{name, levels, codes}],
// covariates [{name, values}], subjects, within [{name, levels}], type 1 to 3.
#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/anova/Friedman.h"
#include "stats/procedures/anova/OneWay.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/posthoc/MarginalMeans.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

SumsOfSquares typeOf(const Json &a) {
  int64_t type = a.at("type").toInt(2);
  return type == 1   ? SumsOfSquares::TypeI
         : type == 2 ? SumsOfSquares::TypeII
                     : SumsOfSquares::TypeIII;
}

std::vector<std::string> levelsOf(const Json &factor) {
  std::vector<std::string> levels;
  for (int64_t i = 0; i < factor.at("levels").toInt(); ++i)
    levels.push_back("l" + std::to_string(i));
  return levels;
}

std::vector<Factor> factorsOf(const Json &array) {
  std::vector<Factor> factors;
  for (const Json &item : array.items()) {
    Factor factor{item.at("name").toText(), levelsOf(item), {}};
    for (const Json &code : item.at("codes").items())
      factor.codes.push_back(int32_t(code.toInt()));
    factors.push_back(std::move(factor));
  }
  return factors;
}

FactorialDesign factorial(const Json &a) {
  FactorialDesign design{factorsOf(a.at("factors")), {}, numbersOf(a.at("y")), typeOf(a)};
  for (const Json &item : a.at("covariates").items())
    design.covariates.push_back({item.at("name").toText(), numbersOf(item.at("values"))});
  return design;
}

RepeatedDesign repeated(const Json &a) {
  RepeatedDesign design;
  for (const Json &item : a.at("within").items())
    design.within.push_back({item.at("name").toText(), levelsOf(item)});
  design.between = factorsOf(a.at("factors"));
  design.subjects = groupsOf(a.at("subjects"));
  design.sums = typeOf(a);
  return design;
}

} // namespace

void addAnova(Registry &r) {
  r["f_test"] = [](const Json &a) { return oneWayF(groupsOf(a.at("groups"))); };
  r["welch_anova"] = [](const Json &a) { return welchAnova(groupsOf(a.at("groups"))); };
  r["kruskall_wallis"] = [](const Json &a) { return kruskalWallis(groupsOf(a.at("groups"))); };
  r["brunner_dette_munk"] = [](const Json &a) {
    return brunnerDetteMunk(groupsOf(a.at("groups")));
  };
  r["friedman"] = [](const Json &a) { return friedman(groupsOf(a.at("conditions"))); };
  r["factorial_ANOVA"] = [](const Json &a) { return factorialAnova(factorial(a)); };
  r["ancova"] = [](const Json &a) { return ancova(factorial(a)); };
  r["marginal_means"] = [](const Json &a) { return marginalMeans(factorial(a), 0); };
  r["simple_effects"] = [](const Json &a) { return simpleEffects(factorial(a), 0); };
  r["mixed_anova"] = [](const Json &a) { return mixedAnova(repeated(a)); };
}

} // namespace imbrex::stats::oracles
