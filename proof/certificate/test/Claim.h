// A claim of a certificate, evaluated: both terms on small random meanings of the functions, by a
// reader of its own. For tests of the checker: what it accepts has to hold.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace imbrex::certificate::test {

class Claim {
public:
  /// Reads the lines that start with "t " or "claim". Nothing: there is no claim.
  static std::optional<Claim> of(const std::string &certificate);

  /// Do both terms have the same value for all of a few values of the free variables? Functions are
  /// drawn by the seed. Nothing: too large to evaluate.
  std::optional<bool> holds(uint64_t seed);

private:
  using Tokens = std::vector<std::string>;
  double value(const std::string &number);
  double valueOf(const std::string &number);
  double binder(const Tokens &t, size_t at, const std::string &kind);
  double function(const Tokens &t);
  bool isSet = false;
  std::string first, second;
  std::map<std::string, Tokens> terms;
  std::map<std::string, double> variables; // name.index
  uint64_t seed = 0;
  size_t steps = 0, depth = 0;
};

} // namespace imbrex::certificate::test
