// What every statistical procedure returns: one record, whether the test gave numbers, has none, or
// was refused.
//
// Conventions, the same for all procedures:
// - Groups keep the caller's order. "greater" means: the first group tends to larger values than
// the second, or the
//   sample to larger values than the hypothesised one, or the association is positive. "less" is
//   the mirror image.
// - `p.undirected` is the two-sided p-value, or the only one of a test without direction (F,
// chi-square).
//   A p-value carries its logarithm, so that one below 1e-308 is still known: never print 0.
// - statistics[0] is the one that p belongs to; further ones are alternatives that readers expect
// (U of the other
//   group, V and its mirror image, H before the correction for ties).
// - Procedures expect finite values: missing data are the caller's policy. A value that is not
// finite is refused.
// - Nothing throws and nothing returns NaN silently: a procedure whose answer does not exist (0/0,
// all differences
//   zero) says Undefined with the reason, one that does not apply to such input says Refused. In
//   both cases `n`, `method` and the numbers that do exist are filled in. Infinity is a legal
//   statistic (constant groups that differ) and then Defined.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::stats {

enum class Alternative { TwoSided, Less, Greater };

/// A probability and its natural logarithm; `log` is exact where `value` underflows to 0.
struct PValue {
  double value = 1;
  double log = 0;

  static PValue of(double value);
  static PValue ofLog(double log);
};

struct PValues {
  std::optional<PValue> undirected;
  std::optional<PValue> less;
  std::optional<PValue> greater;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};

/// A confidence interval. `level` is what was asked for, `achieved` what an exact interval attains
/// (equal to `level` for continuous ones; smaller means that the data cannot give the level asked
/// for, and a note says so).
struct Interval {
  double low = 0;
  double high = 0;
  double level = 0.95;
  double achieved = 0.95;
  std::string method; // "noncentral t", "Wald", "exact"
};

/// An estimated quantity on the scale of the data: a mean difference, a Hodges-Lehmann shift, a
/// slope.
struct Estimate {
  std::string name;
  double value = 0;
  std::optional<Interval> interval;
};

enum class EffectDirection {
  FirstMinusSecond, // positive: the first group is larger, or the association is positive
  Magnitude,        // never says which group is larger (eta squared, V)
};

struct EffectSize {
  std::string name; // "Cohen's d", "rank-biserial correlation", "partial eta squared"
  double value = 0;
  std::optional<Interval> interval;
  EffectDirection direction = EffectDirection::Magnitude;
};

/// A line of an ANOVA table or of a table of coefficients or comparisons.
struct ResultRow {
  std::string name; // the term, the coefficient, the pair
  std::vector<NamedNumber> numbers;
  PValues p;
  std::optional<Estimate> estimate;
  std::vector<EffectSize> effects;

  /// NaN when there is no such number.
  double number(std::string_view wanted) const;
};

struct ResultTable {
  std::string title;
  std::vector<ResultRow> rows;

  const ResultRow *row(std::string_view wanted) const;
};

enum class Outcome {
  Defined,   // the numbers are there
  Undefined, // the formula has no value on these data
  Refused,   // the procedure does not apply to such input
};

struct TestResult {
  std::string id;   // as in the knowledge base: "welchs_t"
  std::string name; // as a reader knows it: "Welch's t-test"
  Outcome outcome = Outcome::Defined;
  std::string reason; // of Undefined and Refused, a sentence for the user
  std::vector<NamedNumber> statistics;
  std::vector<NamedNumber> df; // one for t and chi-square; two for F, numerator first
  PValues p;
  std::optional<Estimate> estimate;
  std::vector<EffectSize> effects;
  std::vector<NamedNumber> n; // values used: per group, pairs, subjects
  std::string method;         // exact or asymptotic, ties, zeros, continuity
  std::vector<std::string> notes;
  std::vector<ResultTable> tables;

  bool defined() const { return outcome == Outcome::Defined; }
  std::optional<PValue> pFor(Alternative alternative) const;
  /// NaN when there is no such number.
  double statistic(std::string_view wanted) const;
  double freedom(size_t index = 0) const;
  const EffectSize *effect(std::string_view wanted) const;
  const ResultTable *table(std::string_view title) const;

  /// Fluent ends for procedures: `return result.undefined("all differences are zero");`
  TestResult &undefined(std::string why);
  TestResult &refused(std::string why);
};

} // namespace imbrex::stats
