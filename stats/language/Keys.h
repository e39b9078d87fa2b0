// The words of the language, and those of the published programs that mean the same.
#pragma once

#include "stats/language/Study.h"

#include <string>
#include <string_view>
#include <vector>

namespace imbrex::stats {

/// Which table of keys a word is looked up in.
enum class KeyGroup : uint8_t {
  Statement,
  Data,
  Design,
  Assumption,
  Measure,
  Variable,
  Hypothesis
};

/// The key that `word` stands for ("contributor variables" is "contributor"); "" when there is
/// none.
std::string canonicalKey(KeyGroup group, std::string_view word);
/// The keys of a group in the form that the formatter writes, in order.
const std::vector<std::string> &keysOf(KeyGroup group);
/// E1232: "there is no … 'x'; because it knows …; try 'y'".
Error unknownKey(KeyGroup group, std::string_view word, FileLocation where);

/// Assumptions: "groups normal" is the property "groups_normal".
std::string propertyOf(std::string_view assumptionKey);
std::string assumptionOf(std::string_view property);
/// How many variables an assumption is about: 1, or 2 for `y by x`; -1: `y by x, …`.
int arityOf(std::string_view assumptionKey);

std::string measureName(Measure measure);
Measure measureOf(std::string_view canonical);

} // namespace imbrex::stats
