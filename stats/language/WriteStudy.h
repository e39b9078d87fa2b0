// A study as text: the formatter. What it writes reads back as the same study.
#pragma once

#include "stats/language/Study.h"
#include "support/json/Json.h"

namespace imbrex::stats {

/// Settings that have their usual value are left out. Comments of the original are not in a Study,
/// so a file with comments loses them.
std::string writeStudy(const Study &study);
Json studyJson(const Study &study);

/// What stands after `hypothesis`.
std::string writeHypothesis(const Hypothesis &h);
/// Shortest text that reads back as the same number.
std::string shortNumber(double value);
const char *orderSymbol(Order order);

} // namespace imbrex::stats
