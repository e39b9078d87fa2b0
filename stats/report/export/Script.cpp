#include "stats/report/export/Script.h"

#include "support/text/Printable.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace imbrex::stats {
namespace {

constexpr size_t lineWidth = 96;

std::string replaced(std::string_view text, const std::map<std::string, std::string> &names) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
    auto known = end == std::string_view::npos
                     ? names.end()
                     : names.find(std::string(text.substr(i + 1, end - i - 1)));
    if (known == names.end()) {
      result += text[i++];
      continue;
    }
    result += known->second;
    i = end + 1;
  }
  return result;
}

} // namespace

std::string literal(double value, Language language) {
  if (std::isnan(value))
    return language == Language::R ? "NaN" : "np.nan";
  if (std::isinf(value))
    return std::string(value < 0 ? "-" : "") + (language == Language::R ? "Inf" : "np.inf");
  // The shortest form that reads back as the same number.
  char text[40];
  for (int digits : {6, 15, 16, 17}) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value)
      break;
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    CodePoint point = firstCodePoint(text);
    bool blank = point.bytes == 0 || point.value < 0x20;
    if (!blank && isControl(point.value)) { // R refuses a source that turns its own direction
      char escape[16];
      std::snprintf(escape, sizeof escape, point.value > 0xffff ? "\\U%08x" : "\\u%04x",
                    static_cast<unsigned>(point.value));
      result += escape;
    } else if (blank) {
      result += ' ';
    } else {
      if (text[0] == '"' || text[0] == '\\')
        result += '\\';
      result += text.substr(0, point.bytes);
    }
    text.remove_prefix(std::max<size_t>(point.bytes, 1));
  }
  return result + '"';
}

Script::Script(Language language, const Analysis &analysis) : analysis(analysis), lang(language) {
  bool r = language == Language::R;
  set("level", analysis.level);
  set("mu", analysis.hypothesised);
  set("alternative", analysis.alternative == Alternative::Less      ? "less"
                     : analysis.alternative == Alternative::Greater ? "greater"
                     : r                                            ? "two.sided"
                                                                    : "two-sided");
}

void Script::set(const std::string &name, double value) { names[name] = literal(value, lang); }

void Script::line(std::string_view text) {
  body += text;
  body += '\n';
}

void Script::code(std::string_view r, std::string_view python) {
  std::string_view text = lang == Language::R ? r : python;
  while (!text.empty() && text.front() == '\n')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == '\n')
    text.remove_suffix(1);
  if (!text.empty())
    line(replaced(text, names));
}

void Script::list(std::string_view variable, const std::vector<std::string> &items) {
  bool r = lang == Language::R;
  std::string text = std::string(variable) + (r ? " <- c(" : " = np.array([");
  size_t used = text.size();
  for (size_t i = 0; i < items.size(); ++i) {
    std::string piece = items[i] + (i + 1 < items.size() ? ", " : "");
    if (used + piece.size() > lineWidth) {
      text += "\n  ";
      used = 2;
    }
    text += piece;
    used += piece.size();
  }
  line(text + (r ? ")" : "])"));
}

void Script::values(std::string_view variable, std::span<const double> values) {
  std::vector<std::string> items;
  for (double value : values)
    items.push_back(literal(value, lang));
  list(variable, items);
  if (lang == Language::Python)
    line(std::string(variable) + " = " + std::string(variable) + ".astype(float)");
}

void Script::texts(std::string_view variable, const std::vector<std::string> &values) {
  std::vector<std::string> items;
  for (const std::string &value : values)
    items.push_back(quoted(value));
  list(variable, items);
}

void Script::check(std::string_view what, std::string_view variable, double expected,
                   double tolerance) {
  if (std::isnan(expected))
    return;
  line("check(" + quoted(what) + ", " + replaced(variable, names) + ", " + literal(expected, lang) +
       ", " + literal(tolerance, lang) + ")");
}

void Script::checkP(std::string_view variable, double tolerance) {
  if (analysis.result.p.undirected)
    check("p", variable, analysis.result.p.undirected->value, tolerance);
}

void Script::checkStatistic(std::string_view name, std::string_view variable, double tolerance) {
  check(name, variable, analysis.result.statistic(name), tolerance);
}

void Script::checkFreedom(std::string_view variable, size_t index) {
  check(index == 0 ? "df" : "second df", variable, analysis.result.freedom(index));
}

void Script::checkEstimate(std::string_view variable, double tolerance) {
  if (analysis.result.estimate)
    check(analysis.result.estimate->name, variable, analysis.result.estimate->value, tolerance);
}

void Script::checkInterval(std::string_view low, std::string_view high, double tolerance) {
  if (!analysis.result.estimate || !analysis.result.estimate->interval)
    return;
  check("lower limit", low, analysis.result.estimate->interval->low, tolerance);
  check("upper limit", high, analysis.result.estimate->interval->high, tolerance);
}

void Script::checkEffect(std::string_view name, std::string_view variable, double tolerance) {
  if (const EffectSize *effect = analysis.result.effect(name))
    check(name, variable, effect->value, tolerance);
}

} // namespace imbrex::stats
