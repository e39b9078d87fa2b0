// Numbers for readers: no p-value of 0, no digits that the computation does not support.
#pragma once

#include "stats/procedures/TestResult.h"

#include <string>

namespace imbrex::stats {

/// Four significant digits: 3.895, 24.93, 1.29e-10; "infinite" and "none" (NaN).
std::string numberText(double value);
/// Three significant digits of any p-value however small, from its logarithm where it
/// underflows: ".0345", "2.39e-24", "2.58e-869"; "< 1e-300" where even that is not known.
std::string pText(const PValue &p);
/// "p = .0345", "p < 1e-300".
std::string pEquals(const PValue &p);
/// As journals print it: "p = .034", "p < .001", "p > .999".
std::string pApa(const PValue &p);
/// "[0.51, 2.02]", both ends with the same decimals.
std::string intervalText(const Interval &interval);
/// "95%" or "96.9%".
std::string percentText(double level);
/// Two decimals, without the leading zero where the value cannot exceed 1.
enum class Bound : uint8_t { None, One };
std::string apaNumber(double value, Bound bound);

} // namespace imbrex::stats
