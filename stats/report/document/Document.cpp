#include "stats/report/document/Document.h"

#include "stats/language/WriteStudy.h"
#include "stats/report/document/Repeat.h"
#include "stats/report/text/Apa.h"
#include "stats/report/text/NumberText.h"
#include "stats/report/text/Report.h"

#include <filesystem>

namespace imbrex::stats {
namespace {

std::string withInterval(double value, const std::optional<Interval> &interval) {
  return numberText(value) +
         (interval ? ", " + percentText(interval->achieved) + " CI " + intervalText(*interval)
                   : "");
}

std::string decisionText(const HypothesisAnalysis &a) {
  if (a.decision == Decision::Undecided)
    return a.fallback ? "No test is valid, so there is no decision." : "There is no decision.";
  std::string text = a.decision == Decision::Supported ? "The data support the hypothesis"
                                                       : "The data do not support the hypothesis";
  if (a.adjustedP && a.p)
    text += " (" + decidingPText(a) + ", alpha " + shortNumber(a.situation->study.alpha) + ")";
  text += a.decision == Decision::NotSupported ? "; that is no evidence against it." : ".";
  return text;
}

std::string evidenceOf(const PropertyInstance &p) {
  std::string text = p.sentence();
  if (p.property && !p.evidence.text.empty())
    text += " (" + p.evidence.text + ")";
  return p.source == Source::Assumption ? text + ", as assumed" : text;
}

class Builder {
public:
  Builder(Document &document, const HypothesisAnalysis &a) : document(document), a(a) {}

  void build(size_t number) {
    add(BlockKind::Section,
        "Hypothesis " + std::to_string(number) + ": " + writeHypothesis(*a.hypothesis));
    Block &verdict = add(BlockKind::Verdict, decisionText(a));
    verdict.decision = a.decision;
    if (const ProcedureRun *run = a.deciding())
      test(*run);
    addPictures(document, a);
    assumptions();
    comparisons();
    others();
    rejected();
    if (!a.warnings.empty()) {
      heading("What to keep in mind");
      Block &list = add(BlockKind::List, "");
      for (const std::string &warning : a.warnings)
        list.rows.push_back({warning});
    }
  }

private:
  Block &add(BlockKind kind, std::string text) {
    document.blocks.emplace_back();
    document.blocks.back().kind = kind;
    document.blocks.back().text = std::move(text);
    return document.blocks.back();
  }
  void heading(const char *text) { add(BlockKind::Heading, text); }

  void test(const ProcedureRun &run) {
    const TestResult &r = run.computed.result;
    heading("Test");
    std::string why = a.fallback           ? "used since no test is valid"
                      : a.runs.size() == 1 ? "the only valid test"
                                           : "first in preference of " +
                                                 std::to_string(a.runs.size()) + " valid tests";
    add(BlockKind::Paragraph,
        run.procedure->name + ": " + why + ". It asks: " + run.procedure->answers);
    if (!r.defined()) {
      add(BlockKind::Paragraph, "It gives no result: " + r.reason + ".");
      return;
    }
    if (std::string apa = apaSentence(run.computed); !apa.empty())
      add(BlockKind::Quote, apa);
    facts(run);
    for (const ResultTable &table : r.tables)
      resultTable(table);
  }

  void facts(const ProcedureRun &run) {
    const TestResult &r = run.computed.result;
    Block &block = add(BlockKind::Facts, "");
    auto fact = [&](const std::string &key, const std::string &value) {
      if (!value.empty())
        block.rows.push_back({key, value});
    };
    fact("result", resultLine(run.computed));
    std::string n;
    for (const NamedNumber &number : r.n)
      n += (n.empty() ? "" : ", ") + groupName(number.name, run.computed) + ": " +
           numberText(number.value);
    fact("n", n);
    fact("method", r.method + (r.method.empty() ? "" : "; ") + "conventions " +
                       std::string(conventionsOf(a.situation->study).name));
    if (r.estimate && !r.effect(r.estimate->name))
      fact(r.estimate->name, withInterval(r.estimate->value, r.estimate->interval));
    for (const EffectSize &e : r.effects)
      fact(e.name, withInterval(e.value, e.interval));
    for (const std::string &note : r.notes)
      fact("note", note);
  }

  static std::string groupName(const std::string &name, const Computed &c) {
    for (size_t i = 0; i < c.groups.size(); ++i)
      if (name == "group " + std::to_string(i + 1) || (name == "first" && i == 0) ||
          (name == "second" && i == 1))
        return c.groups[i];
    return name;
  }

  void resultTable(const ResultTable &table) {
    Block &block = add(BlockKind::Table, table.title);
    block.header = {""};
    auto column = [&](const std::string &name) {
      for (size_t i = 1; i < block.header.size(); ++i)
        if (block.header[i] == name)
          return i;
      block.header.push_back(name);
      return block.header.size() - 1;
    };
    for (const ResultRow &row : table.rows) {
      std::vector<std::string> cells{row.name};
      auto put = [&](const std::string &name, std::string text) {
        size_t at = column(name);
        if (cells.size() <= at)
          cells.resize(at + 1);
        cells[at] = std::move(text);
      };
      if (row.estimate)
        put(row.estimate->name == row.name ? "estimate" : row.estimate->name,
            withInterval(row.estimate->value, row.estimate->interval));
      for (const NamedNumber &number : row.numbers)
        if (number.value == number.value)
          put(number.name,
              number.name == "raw p" ? pText(PValue::of(number.value)) : numberText(number.value));
      if (row.p.undirected)
        put("p", pText(*row.p.undirected));
      if (!row.effects.empty())
        put(row.effects[0].name, withInterval(row.effects[0].value, row.effects[0].interval));
      block.rows.push_back(std::move(cells));
    }
    for (std::vector<std::string> &cells : block.rows)
      cells.resize(block.header.size());
  }

  static void appendTest(std::vector<std::string> &row, const PropertyTest &t) {
    for (const std::string &cell : {t.test, t.symbol + " = " + numberText(t.statistic),
                                    pText(PValue::of(t.p)), std::to_string(t.n)})
      row.push_back(cell);
  }

  void assumptions() {
    const ProcedureRun *run = a.deciding();
    const ProcedureVerdict *verdict = run ? a.selection->find(run->procedure->id) : nullptr;
    Block block{
        BlockKind::Table, "", {"", "assumption", "test", "statistic", "p", "n"}, {}, {}, {}};
    for (size_t i : verdict ? verdict->requirements : std::vector<size_t>()) {
      const PropertyInstance &p = a.selection->instances()[i];
      if (p.source == Source::Declaration)
        continue;
      std::string mark = p.answer == Answer::Holds ? "yes" : p.answer == Answer::Fails ? "no" : "?";
      // A single test stands beside the sentence, several below it.
      const std::vector<PropertyTest> &tests = p.evidence.tests;
      std::string assumed = p.source == Source::Assumption ? ", as assumed" : "";
      std::vector<std::string> row{mark, tests.empty() ? evidenceOf(p) : p.sentence() + assumed};
      if (tests.size() == 1)
        appendTest(row, tests[0]);
      row.resize(block.header.size());
      block.rows.push_back(std::move(row));
      for (const PropertyTest &t : tests.size() > 1 ? tests : std::vector<PropertyTest>()) {
        block.rows.push_back({"", "   " + t.subject});
        appendTest(block.rows.back(), t);
      }
    }
    if (block.rows.empty())
      return;
    heading("Assumptions of this test, on the data");
    document.blocks.push_back(std::move(block));
  }

  void comparisons() {
    if (!a.comparisons.empty())
      heading("Comparisons");
    for (const FollowUp &one : a.comparisons) {
      const TestResult &result = one.result;
      add(BlockKind::Paragraph,
          comparisonsTitle(a, one) + (result.defined() ? "" : ": " + result.reason) + ".");
      for (const ResultTable &table : result.tables)
        resultTable(table);
    }
  }

  void others() {
    if (a.runs.size() < 2)
      return;
    heading("Other valid tests");
    add(BlockKind::Paragraph,
        "For the reader who wants to see how much depends on the choice. They do "
        "not decide.");
    Block &block = add(BlockKind::Facts, "");
    for (size_t i = 1; i < a.runs.size(); ++i) {
      std::string numbers = resultLine(a.runs[i].computed);
      block.rows.push_back({a.runs[i].procedure->name,
                            numbers.empty() ? a.runs[i].computed.result.reason : numbers});
    }
  }

  void rejected() {
    Block block{BlockKind::Facts, "Tests that are not valid, and why", {}, {}, {}, {}};
    block.folded = true;
    for (const ProcedureVerdict &v : a.selection->verdicts()) {
      if (v.validity != Validity::Rejected)
        continue;
      std::string reasons;
      for (size_t i : v.decisive)
        if (const PropertyInstance &p = a.selection->instances()[i]; p.answer != Answer::Holds)
          reasons += (reasons.empty() ? "" : "; ") + evidenceOf(p);
      block.rows.push_back({v.procedure->name, reasons});
    }
    if (!block.rows.empty())
      document.blocks.push_back(std::move(block));
  }

  Document &document;
  const HypothesisAnalysis &a;
};

void addData(Document &document, const Study &study, const Table &table) {
  const ImportReport &r = table.report;
  Block block{BlockKind::Facts, "", {}, {}, {}, {}};
  block.rows = {
      {"data", r.source + ", " + std::to_string(r.rows) + " rows"},
      {"rules", study.rules},
      {"alpha",
       shortNumber(study.alpha) + "; assumptions tested at " + shortNumber(study.threshold)},
      {"missing values",
       "listwise: a row counts when no variable of the hypothesis is missing" +
           std::string(study.design.within.empty() ? ""
                                                   : ", and a participant when no condition is")}};
  for (const Column &column : table.columns)
    if (column.missing > 0)
      block.rows.push_back({"missing in " + column.name, std::to_string(column.missing)});
  document.blocks.push_back(std::move(block));
}

} // namespace

Document documentOf(const StudyAnalysis &analysis, const Study &study, const Table &table,
                    Scripts scripts) {
  std::string name = std::filesystem::path(study.file).filename();
  Document document{name.empty() ? "Report" : name, {}};
  addData(document, study, table);
  for (size_t i = 0; i < analysis.hypotheses.size(); ++i)
    Builder(document, analysis.hypotheses[i]).build(i + 1);
  if (scripts == Scripts::LeaveOut)
    return document;
  std::vector<Analysis> repeated = analysesOf(analysis);
  for (Language language : {Language::R, Language::Python}) {
    bool r = language == Language::R;
    Block block{BlockKind::Script,
                std::string("The same analysis in ") + (r ? "R" : "Python"),
                {},
                {},
                {},
                {}};
    block.code = exportScript(language, repeated).text;
    block.language = r ? "r" : "python";
    block.folded = true;
    document.blocks.push_back(std::move(block));
  }
  return document;
}

} // namespace imbrex::stats
