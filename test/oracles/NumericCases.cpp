// Distributions. Arguments: distribution, parameters, x or p.
#include "stats/numeric/Distributions.h"
#include "stats/numeric/StudentizedRange.h"
#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

template <class D> TestResult tails(const D &d, const Json &a) {
  TestResult result;
  double x = a.at("x").toDouble();
  result.statistics = {{"cdf", d.cdf(x)}, {"sf", d.sf(x)}};
  if constexpr (requires { d.logSf(x); }) {
    result.statistics.push_back({"log.cdf", d.logCdf(x)});
    result.statistics.push_back({"log.sf", d.logSf(x)});
  }
  if constexpr (requires { d.quantile(0.5); })
    if (a.has("p"))
      result.statistics.push_back({"quantile", d.quantile(a.at("p").toDouble())});
  return result;
}

TestResult discrete(const std::string &name, const std::vector<double> &p, int64_t k) {
  TestResult result;
  auto fill = [&](const auto &d) {
    result.statistics = {{"pmf", d.pmf(k)}, {"cdf", d.cdf(k)}, {"sf", d.sf(k)}};
  };
  if (name == "binomial")
    fill(Binomial{int64_t(p[0]), p[1]});
  else
    fill(Hypergeometric{int64_t(p[0]), int64_t(p[1]), int64_t(p[2])});
  return result;
}

} // namespace

void addNumeric(Registry &r) {
  r["distribution"] = [](const Json &a) {
    std::string name = a.at("distribution").toText();
    std::vector<double> p = numbersOf(a.at("parameters"));
    if (name == "binomial" || name == "hypergeometric")
      return discrete(name, p, a.at("x").toInt());
    return name == "normal"           ? tails(Normal{}, a)
           : name == "t"              ? tails(StudentT{p[0]}, a)
           : name == "F"              ? tails(FisherF{p[0], p[1]}, a)
           : name == "chi-square"     ? tails(ChiSquared{p[0]}, a)
           : name == "beta"           ? tails(Beta{p[0], p[1]}, a)
           : name == "noncentral t"   ? tails(NoncentralT{p[0], p[1]}, a)
           : name == "noncentral F"   ? tails(NoncentralF{p[0], p[1], p[2]}, a)
           : name == "noncentral chi" ? tails(NoncentralChiSquared{p[0], p[1]}, a)
                                      : tails(StudentizedRange{p[0], p[1]}, a);
  };
}

} // namespace imbrex::stats::oracles
