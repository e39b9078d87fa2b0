#include "stats/language/WriteStudy.h"

#include "stats/language/Keys.h"
#include "stats/language/Lexer.h"

#include <charconv>

namespace imbrex::stats {
namespace {

std::string nameList(const std::vector<std::string> &names, const char *separator = ", ") {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : separator) + writtenName(name);
  return text;
}

std::string mark(char c) { return c == '\t' ? "tab" : c == ' ' ? "blank" : writtenName({&c, 1}); }

std::string writeData(const DataSource &d) {
  std::string text;
  auto entry = [&](const char *key, const std::string &value) {
    if (!value.empty())
      text += std::string("  ") + key + ": " + value + "\n";
  };
  auto name = [&](const char *key, const std::string &value) {
    if (!value.empty())
      entry(key, writtenName(value));
  };
  if (d.rowOrder)
    entry("key", "row order");
  // The words themselves would mean the order of the rows.
  entry("key", d.key == "row order" ? "\"row order\"" : d.key.empty() ? "" : writtenName(d.key));
  name("table", d.table);
  name("query", d.query);
  for (auto [key, value] : {std::pair("delimiter", d.delimiter), std::pair("decimal", d.decimal),
                            std::pair("thousands", d.thousands)})
    if (value)
      entry(key, mark(*value));
  name("encoding", d.encoding);
  entry("na", nameList(d.missingWords));
  if (d.reshape)
    entry("reshape", writtenName(d.reshape->levels) + " from " + nameList(d.reshape->columns) +
                         " into " + writtenName(d.reshape->values));
  if (d.file.empty() && text.empty())
    return "";
  return "data" + (d.file.empty() ? "" : " " + writtenName(d.file)) + "\n" + text + "\n";
}

std::string writeVariables(const Study &study) {
  std::string text;
  for (const Variable &v : study.variables) {
    text += "  " + writtenName(v.name) + ": " + measureName(v.measure);
    if (!v.categories.empty())
      text += " [" + nameList(v.categories, v.measure == Measure::Ordinal ? " < " : ", ") + "]";
    if (v.low && v.high)
      text += " in [" + shortNumber(*v.low) + ", " + shortNumber(*v.high) + "]";
    if (v.others == ColumnSpec::Others::Missing)
      text += " others missing";
    text += "\n";
  }
  return text.empty() ? "" : "variables\n" + text + "\n";
}

std::string writeDesign(const Design &d) {
  if (!d.declared)
    return "";
  bool experiment = d.kind == StudyKind::Experiment;
  std::string text = experiment ? "design experiment\n" : "design observational\n";
  auto entry = [&](const char *key, const std::vector<std::string> &names) {
    if (!names.empty())
      text += std::string("  ") + key + ": " + nameList(names) + "\n";
  };
  entry(experiment ? "independent" : "contributor", d.explanatory);
  entry(experiment ? "dependent" : "outcome", d.explained);
  entry("between", d.between);
  entry("within", d.within);
  return text + "\n";
}

std::string writeAssumptions(const Study &study) {
  std::string text;
  for (const Assumption &a : study.assumptions) {
    if (a.variables.empty())
      continue;
    text += "  " + assumptionOf(a.property) + ": " + writtenName(a.variables.back());
    if (a.variables.size() > 1)
      text += " by " + nameList({a.variables.begin(), a.variables.end() - 1});
    text += "\n";
  }
  return text.empty() ? "" : "assume\n" + text + "\n";
}

std::string writeComparison(const Comparison &c) {
  return writtenName(c.left) + " " + orderSymbol(c.order) + " " +
         (c.factor != 1 ? shortNumber(c.factor) + " * " : "") + writtenName(c.right) +
         (c.margin ? " within " + shortNumber(*c.margin) : "");
}

} // namespace

const char *orderSymbol(Order order) {
  return order == Order::Greater ? ">"
         : order == Order::Less  ? "<"
         : order == Order::Equal ? "="
                                 : "!=";
}

std::string shortNumber(double value) {
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

std::string writeHypothesis(const Hypothesis &h) {
  std::string text;
  switch (h.form) {
  case HypothesisForm::Association:
    text = nameList(h.variables) + (h.outcome.empty() ? "" : ", " + writtenName(h.outcome));
    break;
  case HypothesisForm::Groups:
    text = writtenName(h.outcome) + " by " + nameList(h.variables);
    break;
  case HypothesisForm::Constant:
    text = writtenName(h.outcome) + " " + orderSymbol(h.order) + " " + shortNumber(h.constant);
    break;
  case HypothesisForm::Linear:
    text = writtenName(h.outcome) + " ~ ";
    for (size_t i = 0; i < h.terms.size(); ++i) {
      Trend trend = h.terms[i].trend;
      text += (i ? " + " : "") +
              std::string(trend == Trend::Positive   ? "+"
                          : trend == Trend::Negative ? "-"
                                                     : "") +
              writtenName(h.terms[i].variable);
    }
    break;
  }
  if (!h.given.empty())
    text += " given " + nameList(h.given);
  if (!h.comparisons.empty()) {
    bool obvious =
        h.form == HypothesisForm::Groups && h.variables.size() == 1 && h.compared == h.variables[0];
    text += ": " + (h.compared.empty() || obvious ? "" : writtenName(h.compared) + ": ");
    for (size_t i = 0; i < h.comparisons.size(); ++i)
      text += (i ? ", " : "") + writeComparison(h.comparisons[i]);
  }
  return text;
}

std::string writeStudy(const Study &study) {
  std::string text = writeData(study.data) + writeVariables(study) + writeDesign(study.design) +
                     writeAssumptions(study);
  std::string settings;
  if (study.alpha != 0.05)
    settings += "alpha " + shortNumber(study.alpha) + "\n";
  if (study.threshold != 0.05)
    settings += "threshold " + shortNumber(study.threshold) + "\n";
  if (study.mode == Mode::Relaxed)
    settings += "mode relaxed\n";
  if (study.rules != "default")
    settings += "rules " + writtenName(study.rules) + "\n";
  if (!study.conventions.empty())
    settings += "conventions " + writtenName(study.conventions) + "\n";
  if (!settings.empty())
    text += settings + "\n";
  for (const Hypothesis &h : study.hypotheses)
    text += "hypothesis " + writeHypothesis(h) + "\n";
  return text;
}

Json studyJson(const Study &study) {
  const DataSource &d = study.data;
  Json data = Json::object();
  auto text = [&](const char *key, const std::string &value) {
    if (!value.empty())
      data.set(key, value);
  };
  text("file", d.file);
  text("key", d.rowOrder ? "row order" : d.key);
  text("table", d.table);
  text("query", d.query);
  for (auto [key, value] : {std::pair("delimiter", d.delimiter), std::pair("decimal", d.decimal),
                            std::pair("thousands", d.thousands)})
    if (value)
      text(key, std::string(1, *value));
  text("encoding", d.encoding);
  if (!d.missingWords.empty())
    data.set("na", d.missingWords);
  if (d.reshape)
    data.set("reshape", Json::object()
                            .set("levels", d.reshape->levels)
                            .set("from", d.reshape->columns)
                            .set("into", d.reshape->values));
  Json variables = Json::array();
  for (const Variable &v : study.variables) {
    Json item = Json::object().set("name", v.name).set("type", measureName(v.measure));
    if (!v.categories.empty())
      item.set("categories", v.categories);
    if (v.low && v.high)
      item.set("range", Json::array().push(Json::of(*v.low)).push(Json::of(*v.high)));
    if (v.others == ColumnSpec::Others::Missing)
      item.set("others", "missing");
    variables.push(item);
  }
  bool experiment = study.design.kind == StudyKind::Experiment;
  Json design = Json::object().set("study", experiment ? "experiment" : "observational");
  design.set(experiment ? "independent" : "contributor", study.design.explanatory);
  design.set(experiment ? "dependent" : "outcome", study.design.explained);
  if (!study.design.between.empty())
    design.set("between", study.design.between);
  if (!study.design.within.empty())
    design.set("within", study.design.within);
  Json assume = Json::object(), hypotheses = Json::array();
  for (const Assumption &a : study.assumptions) {
    std::string key = assumptionOf(a.property);
    Json list = assume.has(key) ? assume.at(key) : Json::array();
    assume.set(key, list.push(Json::of(a.variables)));
  }
  for (const Hypothesis &h : study.hypotheses)
    hypotheses.push(Json::of(writeHypothesis(h)));
  Json root = Json::object()
                  .set("data", data)
                  .set("variables", variables)
                  .set("design", design)
                  .set("assume", assume)
                  .set("alpha", study.alpha)
                  .set("threshold", study.threshold)
                  .set("mode", study.mode == Mode::Relaxed ? "relaxed" : "strict")
                  .set("rules", study.rules);
  if (!study.conventions.empty())
    root.set("conventions", study.conventions);
  return root.set("hypotheses", hypotheses);
}

} // namespace imbrex::stats
