#include "stats/procedures/TestResult.h"

#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double find(const std::vector<NamedNumber> &numbers, std::string_view wanted) {
  for (const NamedNumber &number : numbers)
    if (number.name == wanted)
      return number.value;
  return missing;
}

} // namespace

PValue PValue::of(double value) { return {value, std::log(value)}; }
PValue PValue::ofLog(double log) { return {std::exp(log), log}; }

double ResultRow::number(std::string_view wanted) const { return find(numbers, wanted); }

const ResultRow *ResultTable::row(std::string_view wanted) const {
  for (const ResultRow &row : rows)
    if (row.name == wanted)
      return &row;
  return nullptr;
}

std::optional<PValue> TestResult::pFor(Alternative alternative) const {
  switch (alternative) {
  case Alternative::Less:
    return p.less;
  case Alternative::Greater:
    return p.greater;
  case Alternative::TwoSided:
    break;
  }
  return p.undirected;
}

double TestResult::statistic(std::string_view wanted) const { return find(statistics, wanted); }

double TestResult::freedom(size_t index) const {
  return index < df.size() ? df[index].value : missing;
}

const EffectSize *TestResult::effect(std::string_view wanted) const {
  for (const EffectSize &effect : effects)
    if (effect.name == wanted)
      return &effect;
  return nullptr;
}

const ResultTable *TestResult::table(std::string_view title) const {
  for (const ResultTable &table : tables)
    if (table.title == title)
      return &table;
  return nullptr;
}

TestResult &TestResult::undefined(std::string why) {
  outcome = Outcome::Undefined;
  reason = std::move(why);
  return *this;
}

TestResult &TestResult::refused(std::string why) {
  outcome = Outcome::Refused;
  reason = std::move(why);
  return *this;
}

} // namespace imbrex::stats
