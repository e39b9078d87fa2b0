// A script in R or in Python that repeats an analysis and compares each number: both say the same,
// so a recipe writes both at once.
//
// Recipes give code in both languages; `{name}` in it is replaced by what set() said. The same
// variable names are used in both, so that check() needs one expression only.
#pragma once

#include "stats/report/export/Analysis.h"

#include <map>
#include <string>
#include <string_view>

namespace imbrex::stats {

enum class Language { R, Python };

class Script {
public:
  Script(Language language, const Analysis &analysis);

  const Analysis &analysis;
  Language language() const { return lang; }

  void set(const std::string &name, std::string value) { names[name] = std::move(value); }
  void set(const std::string &name, double value);
  /// Lines of code in each language.
  void code(std::string_view r, std::string_view python);
  /// Assigns the values to a variable.
  void values(std::string_view variable, std::span<const double> values);
  void texts(std::string_view variable, const std::vector<std::string> &values);

  /// Compares the variable with the result; nothing when the result has no such number. Relative
  /// tolerance.
  void check(std::string_view what, std::string_view variable, double expected,
             double tolerance = 1e-8);
  void checkP(std::string_view variable, double tolerance = 1e-7);
  void checkStatistic(std::string_view name, std::string_view variable, double tolerance = 1e-8);
  void checkFreedom(std::string_view variable, size_t index = 0);
  void checkEstimate(std::string_view variable, double tolerance = 1e-8);
  void checkInterval(std::string_view low, std::string_view high, double tolerance = 1e-7);
  void checkEffect(std::string_view name, std::string_view variable, double tolerance = 1e-8);

  /// The lines so far, not indented.
  const std::string &text() const { return body; }

private:
  void line(std::string_view text);
  void list(std::string_view variable, const std::vector<std::string> &items);

  Language lang;
  std::map<std::string, std::string> names;
  std::string body;
};

/// The number with all its digits, as both languages read it.
std::string literal(double value, Language language);
/// A quoted string, as both languages read it.
std::string quoted(std::string_view text);

} // namespace imbrex::stats
