// imbrex tea compare: two samples from two files, without a study.
#include "stats/data/Csv.h"
#include "stats/language/Study.h"
#include "stats/report/text/Apa.h"
#include "stats/report/text/NumberText.h"
#include "stats/report/text/Report.h"
#include "tools/common/Say.h"
#include "tools/imbrex-tea/Commands.h"

#include <cmath>
#include <cstdio>
#include <filesystem>

namespace imbrex::tools {
namespace {

using namespace stats;

/// What was read, beside the values themselves.
struct Import {
  std::string column; // of the last file
  size_t missing = 0;
  std::vector<std::string> notes;
};

/// A file of numbers alone would lose the first of them to its header.
Status checkHeader(const RawTable &raw, const std::string &path) {
  for (const RawColumn &c : raw.columns)
    if (numberHint(c.name) != NumberHint::NoNumber)
      return badInput(1201, "the data file has no header",
                      "its first line holds '" + c.name + "', a number",
                      "a first line with the name of the column, or --column '" + c.name +
                          "' if that is its name",
                      {path, 1, 0});
  return {};
}

/// The column that is compared: the named one, or the only one with numbers.
Result<std::vector<double>> sampleOf(const std::string &path, const std::string &wanted,
                                     Import &import) {
  Result<RawTable> raw = readCsv(path, {});
  if (!raw)
    return raw.takeError();
  if (Status s = wanted.empty() ? checkHeader(*raw, path) : Status(); !s)
    return s.takeError();
  std::vector<ColumnSpec> specs;
  if (!wanted.empty()) {
    ColumnSpec spec{wanted};
    spec.kind = ColumnSpec::Kind::Number;
    specs.push_back(spec);
  } else {
    for (const RawColumn &c : raw->columns)
      specs.push_back({c.name});
  }
  Result<Table> table = typeColumns(raw.take(), specs, {});
  if (!table)
    return table.takeError();
  std::string numeric;
  const Column *found = nullptr;
  for (const Column &c : table->columns)
    if (c.kind == ColumnKind::Number) {
      numeric += (numeric.empty() ? "" : ", ") + c.name;
      if (found)
        return badInput(1259, path + " has several columns of numbers", "they are " + numeric,
                        "--column NAME", {path, 0, 0});
      found = &c;
    }
  if (!found)
    return badInput(1259, path + " has no column of numbers", "", "--column NAME", {path, 0, 0});
  import.column = found->name;
  import.missing += found->missing;
  for (const std::string &note : table->report.notes)
    import.notes.push_back(path + ": " + note);
  std::vector<double> values;
  for (double v : found->numbers)
    if (!std::isnan(v))
      values.push_back(v);
  return values;
}

/// A study of two independent groups, as if it had been written.
Study studyOf(const std::string &column, const std::string &first, const std::string &second,
              double alpha) {
  Study study;
  Variable group, value;
  group.name = column == "sample" ? "group" : "sample";
  group.categories = {first, second};
  value.name = column;
  value.measure = Measure::Interval;
  study.variables = {group, value};
  study.design.declared = true;
  study.design.explanatory = {group.name};
  study.design.explained = {column};
  study.alpha = alpha;
  Hypothesis h;
  h.form = HypothesisForm::Groups;
  h.outcome = column;
  h.variables = {group.name};
  study.hypotheses = {h};
  return study;
}

Table tableOf(const Study &study, const std::vector<double> &a, const std::vector<double> &b) {
  Table table;
  Column group{study.variables[0].name, ColumnKind::Category},
      value{study.variables[1].name, ColumnKind::Number};
  group.categories = study.variables[0].categories;
  group.codes.assign(a.size(), 0);
  group.codes.insert(group.codes.end(), b.size(), 1);
  value.numbers = a;
  value.numbers.insert(value.numbers.end(), b.begin(), b.end());
  table.rows = a.size() + b.size();
  table.columns = {std::move(group), std::move(value)};
  return table;
}

/// "a.csv" and "b.csv", or the paths where the names are equal.
std::pair<std::string, std::string> namesOf(const std::string &a, const std::string &b) {
  std::string first = std::filesystem::path(a).filename(),
              second = std::filesystem::path(b).filename();
  if (first != second)
    return {first, second};
  return a == b ? std::pair(a + " (1)", b + " (2)") : std::pair(a, b);
}

/// What the least demanding test lacks.
std::string whyNone(const HypothesisAnalysis &a) {
  if (const ProcedureRun *run = a.deciding(); run && !a.fallback)
    return run->computed.result.reason;
  const ProcedureVerdict *least = a.selection->find("permutation_test");
  std::string text;
  for (size_t i : least ? a.selection->violated(*least) : std::vector<size_t>())
    text += (text.empty() ? "" : "; ") + a.selection->instances()[i].sentence();
  return text;
}

std::string answerLine(const HypothesisAnalysis &a, const std::string &first,
                       const std::string &second) {
  const ProcedureRun *run = a.deciding();
  if (!run || !run->computed.p)
    return "no answer: " + whyNone(a);
  bool differ = a.decision == Decision::Supported;
  std::string text = differ ? first + " and " + second + " differ" : "no difference was shown";
  text += ": " + apaSentence(run->computed);
  if (const auto &e = run->computed.result.estimate; e && e->interval)
    text += " " + e->name + " " + numberText(e->value) + ", " + percentText(e->interval->achieved) +
            " CI " + intervalText(*e->interval) + ".";
  return text;
}

} // namespace

int teaCompare(int argc, char **argv) {
  CommandLine line("tea compare", "Do two independent samples differ? One line.");
  std::string a, b, column, alphaText;
  bool json = false;
  line.positional("A", a, "a file with a column of numbers")
      .positional("B", b, "another")
      .option("--column NAME", column, "the column, where there are several")
      .option("--alpha P", alphaText, "level of the decision, 0.05 when left out")
      .flag("--json", json, "print JSON")
      .footer("Exit code 0 when an answer was found, whichever it is.");
  return line.run(argc, argv, [&]() -> Result<ExitCode> {
    double alpha = alphaText.empty() ? 0.05 : parseNumber(alphaText, {}).value_or(-1);
    if (!(alpha > 0 && alpha < 1))
      return badInput(700, "alpha must lie between 0 and 1");
    Import import;
    Result<std::vector<double>> first = sampleOf(a, column, import);
    if (!first)
      return first.takeError();
    std::string name = import.column;
    Result<std::vector<double>> second = sampleOf(b, column, import);
    if (!second)
      return second.takeError();
    auto [firstName, secondName] = namesOf(a, b);
    Study study = studyOf(name, firstName, secondName, alpha);
    if (std::vector<Error> errors = checkStudy(study); !errors.empty())
      return errors[0];
    Table table = tableOf(study, *first, *second);
    Result<StudyAnalysis> analysis = analyze(study, table, standardKnowledge());
    if (!analysis)
      return analysis.takeError();
    const HypothesisAnalysis &h = analysis->hypotheses[0];
    if (json) {
      Json report = reportJson(*analysis);
      report.set("missing", static_cast<int64_t>(import.missing)).set("notes", import.notes);
      sayLine(report.str().c_str());
      return ExitCode::Good;
    }
    say("%s%s\n", answerLine(h, firstName, secondName).c_str(),
        import.missing
            ? (" " + std::to_string(import.missing) + " missing values left out.").c_str()
            : "");
    for (const std::string &note : import.notes)
      say("  note: %s\n", note.c_str());
    return ExitCode::Good;
  });
}

} // namespace imbrex::tools
