// Measurements behind properties: facts of the declaration, counts, and tests of assumptions.
#pragma once

#include "stats/select/Situation.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::stats {

enum class Answer : uint8_t {
  Open, // needs data, and there is none
  Holds,
  Fails,
  Undefined, // the data cannot say: too few values, a constant group; a procedure that needs it is
             // not valid
};

/// One statistical test of an assumption, as evidence.
struct PropertyTest {
  std::string subject; // "Prob in So = 0"
  std::string test;    // "Shapiro-Wilk"
  std::string symbol;  // "W"
  double statistic = 0;
  double p = 1;
  size_t n = 0;
};

struct Evidence {
  Answer answer = Answer::Open;
  std::string text; // why, without a full stop; empty where the property's sentence says it all
  std::vector<PropertyTest> tests;
};

/// How many variables the measurement needs; nothing when there is no such measurement.
std::optional<size_t> measuredVariables(std::string_view id);

/// Measures `id` on the variables that the requirement names. Tests of assumptions hold while p >
/// threshold. Never fails: what cannot be measured is Undefined, with the reason.
Evidence measure(std::string_view id, const Situation &situation,
                 const std::vector<std::string> &variables, double threshold);

using Measurement = Evidence (*)(const Situation &, const std::vector<std::string> &, double);
struct NamedMeasurement {
  std::string_view id;
  size_t variables; // it needs at least so many
  Measurement measure;
};
/// The three kinds, each in a file of its own.
const std::vector<NamedMeasurement> &declaredFacts();
const std::vector<NamedMeasurement> &countedProperties();
const std::vector<NamedMeasurement> &testedProperties();

} // namespace imbrex::stats
