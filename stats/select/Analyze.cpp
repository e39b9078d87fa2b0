#include "stats/select/Analyze.h"

#include "stats/procedures/posthoc/Adjust.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace imbrex::stats {
namespace {

void runProcedures(HypothesisAnalysis &a, const Knowledge &knowledge) {
  ComputeSetting setting = settingFor(*a.situation);
  for (const ProcedureVerdict *v : a.selection->valid())
    a.runs.push_back({v->procedure, compute(v->procedure->computes, setting)});
  // What has no answer on these data cannot decide.
  std::vector<ProcedureRun> silent;
  std::erase_if(a.runs, [&](ProcedureRun &r) {
    bool has = r.computed.p.has_value();
    if (!has)
      silent.push_back(r);
    return !has;
  });
  a.runs.insert(a.runs.end(), silent.begin(), silent.end());
  if (a.runs.empty()) {
    a.fallback = true;
    for (const Procedure &p : knowledge.procedures)
      if (p.fallback && p.rules.contains(a.situation->study.rules))
        a.runs.push_back({&p, compute(p.computes, setting)});
  }
  // Pairs are of interest when they were planned, or when the groups differ at all.
  const ProcedureRun *run = a.deciding();
  if (run && !a.fallback && run->computed.p &&
      (!a.hypothesis->comparisons.empty() || run->computed.p->value <= a.situation->study.alpha))
    a.comparisons = followUp(run->procedure->computes, run->computed.result, setting);
}

std::string counted(size_t n, const char *what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

void warnAboutData(HypothesisAnalysis &a) {
  const CompleteRows &rows = a.situation->rows();
  if (rows.dropped) {
    std::string text = counted(rows.dropped, "row") + " of " +
                       std::to_string(rows.dropped + rows.rows.size()) +
                       " left out (listwise) because a value is missing:";
    for (const auto &[name, count] : rows.missing)
      text += " " + name + " " + std::to_string(count);
    a.warnings.push_back(text);
  }
  if (const ProcedureRun *run = a.deciding(); run && !run->computed.p && !a.fallback)
    a.warnings.push_back("no valid test has an answer on these data: " +
                         run->computed.result.reason);
}

void warnAboutChoice(HypothesisAnalysis &a) {
  for (const AssumptionNote &note : a.selection->assumptionNotes())
    a.warnings.push_back(note.text);
  if (size_t tests = a.selection->propertyTests())
    a.warnings.push_back("the test was chosen after " + counted(tests, "test") +
                         " of assumptions on the same data, so its p-value is not exactly what it "
                         "says; a plan made before the data (imbrex tea plan) avoids that");
  for (const Comparison &c : a.hypothesis->comparisons)
    if (c.order == Order::Equal && !c.margin) {
      a.warnings.push_back("a difference that is not significant does not prove '" + c.left +
                           " = " + c.right + "'; `within MARGIN` tests equality");
      break;
    }
  if (a.fallback)
    a.warnings.push_back(
        "no test is valid here: the intervals describe the groups and decide nothing");
}

/// Is the equality without margin a hypothesis of no difference? Then significance speaks against
/// it.
bool predictsEquality(const Hypothesis &h) {
  return std::any_of(h.comparisons.begin(), h.comparisons.end(),
                     [](const Comparison &c) { return c.order == Order::Equal && !c.margin; }) ||
         (h.form == HypothesisForm::Constant && h.order == Order::Equal);
}

const ResultTable *plannedTable(const HypothesisAnalysis &a) {
  return a.comparisons.empty() ? nullptr : a.comparisons[0].result.table("planned comparisons");
}

/// Planned comparisons decide by themselves: all must hold, so the largest of their p-values
/// counts.
std::optional<PValue> plannedP(const HypothesisAnalysis &a) {
  const ResultTable *table = plannedTable(a);
  std::optional<PValue> largest;
  for (const ResultRow &row : table ? table->rows : std::vector<ResultRow>()) {
    if (!row.p.undirected)
      return std::nullopt;
    if (!largest || row.p.undirected->value > largest->value)
      largest = row.p.undirected;
  }
  return largest;
}

std::optional<PValue> hypothesisP(const HypothesisAnalysis &a) {
  const ProcedureRun *run = a.deciding();
  if (!run || a.fallback)
    return std::nullopt;
  if (plannedTable(a))
    return plannedP(a);
  return run->computed.p;
}

/// A direction was predicted, and the deciding test has none.
bool directionUntested(const HypothesisAnalysis &a) {
  const auto &list = a.hypothesis->comparisons;
  bool directed = std::any_of(list.begin(), list.end(), [](const Comparison &c) {
    return c.order == Order::Greater || c.order == Order::Less;
  });
  return directed && !plannedTable(a) &&
         a.deciding()->computed.alternative == Alternative::TwoSided;
}

void decide(HypothesisAnalysis &a, double alpha) {
  if (!a.adjustedP || a.fallback)
    return;
  bool significant = *a.adjustedP <= alpha;
  if (predictsEquality(*a.hypothesis)) {
    a.decision = significant ? Decision::NotSupported : Decision::Undecided;
  } else if (significant && directionUntested(a)) {
    a.decision = Decision::Undecided;
    a.warnings.push_back(
        "the test is significant but has no direction, so it cannot decide about the "
        "predicted one");
  } else {
    a.decision = significant ? Decision::Supported : Decision::NotSupported;
  }
}

void adjust(StudyAnalysis &study, double alpha) {
  std::vector<double> raw;
  for (const HypothesisAnalysis &a : study.hypotheses) {
    std::optional<PValue> p = hypothesisP(a);
    raw.push_back(p ? p->value : std::numeric_limits<double>::quiet_NaN());
  }
  std::vector<double> adjusted = adjustPValues(raw, Adjustment::Holm);
  for (size_t i = 0; i < adjusted.size(); ++i) {
    HypothesisAnalysis &a = study.hypotheses[i];
    a.p = hypothesisP(a);
    if (!std::isnan(adjusted[i]))
      a.adjustedP = adjusted[i];
    decide(a, alpha);
    if (adjusted.size() > 1)
      a.warnings.push_back("the study has " + std::to_string(adjusted.size()) +
                           " hypotheses: decisions use p adjusted by Holm");
  }
}

} // namespace

Result<StudyAnalysis> analyze(const Study &study, const Table &table, const Knowledge &knowledge) {
  StudyAnalysis result;
  for (const Hypothesis &hypothesis : study.hypotheses) {
    HypothesisAnalysis a;
    a.hypothesis = &hypothesis;
    a.situation = std::make_unique<Situation>(study, hypothesis, &table);
    auto selection = Selection::create(knowledge, study.rules, *a.situation);
    if (!selection)
      return selection.takeError();
    a.selection = selection.take();
    a.selection->run();
    runProcedures(a, knowledge);
    warnAboutData(a);
    warnAboutChoice(a);
    result.propertyTests += a.selection->propertyTests();
    result.hypotheses.push_back(std::move(a));
  }
  adjust(result, study.alpha);
  return result;
}

} // namespace imbrex::stats
