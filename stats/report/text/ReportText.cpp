#include "stats/language/WriteStudy.h"
#include "stats/report/text/Apa.h"
#include "stats/report/text/NumberText.h"
#include "stats/report/text/Report.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

const char *mark(Answer answer) {
  return answer == Answer::Holds ? "yes" : answer == Answer::Fails ? "no " : "?  ";
}

std::string evidence(const PropertyInstance &p) {
  std::string text = p.sentence();
  if (p.property && !p.evidence.text.empty())
    text += " (" + p.evidence.text + ")";
  if (p.source == Source::Assumption)
    text += ", as assumed";
  return text;
}

std::string tailText(Alternative alternative) {
  return alternative == Alternative::TwoSided ? "two-sided" : "one-sided";
}

class Writer {
public:
  Writer(const HypothesisAnalysis &a, size_t number, Detail detail) : a(a), detail(detail) {
    out = "H" + std::to_string(number) + "  " + writeHypothesis(*a.hypothesis) + "\n";
  }

  std::string write() {
    decision();
    test();
    assumptions();
    comparisons();
    others();
    rejected();
    for (size_t i = 0; i < a.warnings.size(); ++i)
      line(i ? "" : "warnings", a.warnings[i]);
    return out;
  }

private:
  void line(const std::string &key, const std::string &text) {
    out += "  " + key + std::string(key.size() < 13 ? 13 - key.size() : 1, ' ') + text + "\n";
  }

  void decision() {
    double alpha = a.situation->study.alpha;
    std::string level = ", alpha " + shortNumber(alpha);
    if (a.decision == Decision::Undecided) {
      line("decision", a.fallback ? "none: no test is valid" : "none: see the warnings");
      return;
    }
    std::string p = a.adjustedP && a.p ? decidingPText(a) : "";
    line("decision",
         (a.decision == Decision::Supported ? "the data support the hypothesis ("
                                            : "the data do not support the hypothesis (") +
             p + level + ")");
  }

  void test() {
    const ProcedureRun *run = a.deciding();
    if (!run)
      return;
    size_t valid = a.fallback ? 0 : a.runs.size();
    std::string why = a.fallback ? "since no test is valid"
                      : valid == 1
                          ? "the only valid test"
                          : "first in preference of " + std::to_string(valid) + " valid tests";
    line("test", run->procedure->name + " (" + run->procedure->id + "): " + why);
    if (!run->procedure->answers.empty())
      line("", "it asks: " + run->procedure->answers);
    const TestResult &r = run->computed.result;
    if (!r.defined()) {
      line("result", "none: " + r.reason);
      return;
    }
    if (std::string numbers = resultLine(run->computed); !numbers.empty())
      line("result", numbers);
    if (!r.n.empty()) {
      std::string n;
      for (const NamedNumber &number : r.n)
        n += (n.empty() ? "" : ", ") + named(number.name, run->computed) + ": " +
             numberText(number.value);
      line("n", n);
    }
    if (!r.method.empty())
      line("method",
           r.method + "; conventions " + std::string(conventionsOf(a.situation->study).name));
    if (r.estimate && !r.effect(r.estimate->name))
      line("estimate", estimateText(*r.estimate));
    for (size_t i = 0; i < r.effects.size(); ++i)
      line(i ? "" : "effect size", effectText(r.effects[i]));
    for (const ResultTable &table : r.tables)
      tableLines(table);
    for (const std::string &note : r.notes)
      line("note", note);
    if (std::string apa = apaSentence(run->computed); !apa.empty())
      line("APA", apa);
  }

  /// "group 1" is the first group of the procedure.
  static std::string named(const std::string &name, const Computed &c) {
    for (size_t i = 0; i < c.groups.size(); ++i)
      if (name == "group " + std::to_string(i + 1) || (name == "first" && i == 0) ||
          (name == "second" && i == 1))
        return c.groups[i];
    return name;
  }

  static std::string estimateText(const Estimate &e) {
    return e.name + " " + numberText(e.value) +
           (e.interval
                ? ", " + percentText(e.interval->achieved) + " CI " + intervalText(*e.interval)
                : "");
  }

  static std::string effectText(const EffectSize &e) {
    return e.name + " " + numberText(e.value) +
           (e.interval
                ? ", " + percentText(e.interval->achieved) + " CI " + intervalText(*e.interval)
                : "");
  }

  void tableLines(const ResultTable &table) {
    line("table", table.title);
    for (const ResultRow &row : table.rows) {
      std::string text = row.name + ":";
      for (const NamedNumber &number : row.numbers)
        if (number.name != "raw p")
          text += " " + number.name + " " + numberText(number.value);
      if (row.estimate)
        text += " " + estimateText(*row.estimate);
      if (row.p.undirected)
        text += " p " + pText(*row.p.undirected);
      if (!row.effects.empty())
        text += " " + effectText(row.effects[0]);
      line("", "  " + text);
    }
  }

  void assumptions() {
    const ProcedureRun *run = a.deciding();
    const ProcedureVerdict *verdict = run ? a.selection->find(run->procedure->id) : nullptr;
    bool first = true;
    for (size_t i : verdict ? verdict->requirements : std::vector<size_t>()) {
      const PropertyInstance &p = a.selection->instances()[i];
      if (p.source == Source::Declaration)
        continue;
      line(first ? "assumptions" : "", std::string(mark(p.answer)) + " " + evidence(p));
      first = false;
    }
  }

  void comparisons() {
    for (const FollowUp &one : a.comparisons) {
      const TestResult &result = one.result;
      line("then", comparisonsTitle(a, one));
      if (!result.defined())
        line("", result.reason);
      for (const ResultTable &table : result.tables)
        for (const ResultRow &row : table.rows)
          line("", "  " + row.name + ": " +
                       (row.estimate ? estimateText(*row.estimate) + ", " : "") +
                       (row.p.undirected ? "p " + pText(*row.p.undirected) : "no p-value") +
                       (row.effects.empty() ? "" : ", " + effectText(row.effects[0])));
    }
  }

  void others() {
    for (size_t i = 1; i < a.runs.size(); ++i) {
      const ProcedureRun &run = a.runs[i];
      std::string numbers = resultLine(run.computed);
      line(i == 1 ? "also valid" : "",
           run.procedure->id + ": " + (numbers.empty() ? run.computed.result.reason : numbers));
    }
  }

  void rejected() {
    size_t byDeclaration = 0;
    bool first = true;
    for (const ProcedureVerdict &v : a.selection->verdicts()) {
      if (v.validity != Validity::Rejected)
        continue;
      std::vector<size_t> reasons = detail == Detail::All ? a.selection->violated(v) : v.decisive;
      std::string text;
      bool declared = false;
      for (size_t i : reasons) {
        const PropertyInstance &p = a.selection->instances()[i];
        declared |= p.source == Source::Declaration;
        if (p.answer != Answer::Holds)
          text += (text.empty() ? "" : "; ") + evidence(p);
      }
      if (declared && detail == Detail::Usual) {
        ++byDeclaration;
        continue;
      }
      line(first ? "not valid" : "", v.procedure->id + ": " + text);
      first = false;
    }
    if (byDeclaration)
      line(first ? "not valid" : "",
           std::to_string(byDeclaration) + " tests are for other designs or types of variables");
  }

  const HypothesisAnalysis &a;
  Detail detail;
  std::string out;
};

} // namespace

PValue decidingP(const HypothesisAnalysis &a) {
  return *a.adjustedP == a.p->value ? *a.p : PValue::of(*a.adjustedP);
}

std::string decidingPText(const HypothesisAnalysis &a) {
  return pEquals(decidingP(a)) + (*a.adjustedP == a.p->value ? "" : " adjusted by Holm");
}

std::string resultLine(const Computed &computed) {
  const TestResult &r = computed.result;
  if (!r.defined())
    return "";
  std::string text;
  for (const NamedNumber &s : r.statistics)
    text += (text.empty() ? "" : ", ") + s.name + " = " + numberText(s.value);
  for (size_t i = 0; i < r.df.size() && i < freedoms(r); ++i)
    text += (i ? ", " : ", df = ") + numberText(r.df[i].value);
  std::string tail = r.p.greater || r.p.less ? " (" + tailText(computed.alternative) + ")" : "";
  std::optional<PValue> own = r.pFor(computed.alternative);
  if (own)
    text += (text.empty() ? "" : ", ") + pEquals(*own) + tail;
  if (computed.p && (!own || own->value != computed.p->value))
    text += (text.empty() ? "" : "; for the hypothesis ") + pEquals(*computed.p);
  return text;
}

std::string comparisonsTitle(const HypothesisAnalysis &analysis, const FollowUp &comparisons) {
  const TestResult &result = comparisons.result;
  bool several = analysis.situation->explanatory.size() > 1;
  return result.name + (several ? " of " + comparisons.variable : "") +
         (result.method.empty() ? "" : "; " + result.method);
}

std::string reportText(const StudyAnalysis &analysis, Detail detail) {
  std::string text;
  for (size_t i = 0; i < analysis.hypotheses.size(); ++i)
    text += (i ? "\n" : "") + Writer(analysis.hypotheses[i], i + 1, detail).write();
  return text;
}

std::string whyNotText(Selection &selection, const ProcedureVerdict &verdict) {
  std::vector<size_t> violated = selection.violated(verdict);
  std::string text = verdict.procedure->name + " (" + verdict.procedure->id + ") is " +
                     (verdict.validity == Validity::Valid  ? "valid"
                      : verdict.validity == Validity::Open ? "open: it depends on the data"
                                                           : "not valid") +
                     "\n";
  for (size_t i : verdict.requirements) {
    const PropertyInstance &p = selection.instances()[i];
    text += "  " + std::string(mark(p.answer)) + "  " + evidence(p) + "\n";
  }
  if (violated.empty())
    return text;
  std::optional<std::vector<size_t>> wanted = selection.wanted(verdict);
  if (!wanted)
    return text + "no data could make it valid: what it requires contradicts itself here\n";
  text += "it would be valid if\n";
  for (size_t i : *wanted) {
    const PropertyInstance &p = selection.instances()[i];
    bool wasTrue = p.answer == Answer::Holds;
    std::string change = p.property ? p.positive() : "not: " + p.sentence();
    text += "  - " + (wasTrue ? "it were not so that " + change : change) +
            (p.source == Source::Declaration ? "   [another design or hypothesis]"
                                             : "   [other data]") +
            "\n";
  }
  return text;
}

} // namespace imbrex::stats
