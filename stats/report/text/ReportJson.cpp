#include "stats/language/WriteStudy.h"
#include "stats/report/text/Apa.h"
#include "stats/report/text/Report.h"

namespace imbrex::stats {
namespace {

const char *answerName(Answer answer) {
  return answer == Answer::Holds       ? "holds"
         : answer == Answer::Fails     ? "fails"
         : answer == Answer::Undefined ? "undefined"
                                       : "open";
}

const char *sourceName(Source source) {
  return source == Source::Declaration  ? "declaration"
         : source == Source::Data       ? "data"
         : source == Source::Assumption ? "assumption"
                                        : "none";
}

Json numbers(const std::vector<NamedNumber> &list) {
  Json json = Json::array();
  for (const NamedNumber &n : list)
    json.push(Json::object().set("name", n.name).set("value", n.value));
  return json;
}

Json pJson(const PValue &p) { return Json::object().set("value", p.value).set("ln", p.log); }

Json pValues(const PValues &p) {
  Json json = Json::object();
  if (p.undirected)
    json.set("undirected", pJson(*p.undirected));
  if (p.less)
    json.set("less", pJson(*p.less));
  if (p.greater)
    json.set("greater", pJson(*p.greater));
  return json;
}

Json interval(const Interval &i) {
  return Json::object()
      .set("low", i.low)
      .set("high", i.high)
      .set("level", i.level)
      .set("achieved", i.achieved)
      .set("method", i.method);
}

Json estimate(const std::string &name, double value, const std::optional<Interval> &i) {
  Json json = Json::object().set("name", name).set("value", value);
  if (i)
    json.set("interval", interval(*i));
  return json;
}

Json effects(const std::vector<EffectSize> &list) {
  Json json = Json::array();
  for (const EffectSize &e : list)
    json.push(estimate(e.name, e.value, e.interval)
                  .set("signed", e.direction == EffectDirection::FirstMinusSecond));
  return json;
}

Json tables(const std::vector<ResultTable> &list) {
  Json json = Json::array();
  for (const ResultTable &table : list) {
    Json rows = Json::array();
    for (const ResultRow &row : table.rows) {
      Json item = Json::object()
                      .set("name", row.name)
                      .set("numbers", numbers(row.numbers))
                      .set("p", pValues(row.p))
                      .set("effects", effects(row.effects));
      if (row.estimate)
        item.set("estimate",
                 estimate(row.estimate->name, row.estimate->value, row.estimate->interval));
      rows.push(item);
    }
    json.push(Json::object().set("title", table.title).set("rows", rows));
  }
  return json;
}

Json property(const PropertyInstance &p) {
  Json tests = Json::array();
  for (const PropertyTest &t : p.evidence.tests)
    tests.push(Json::object()
                   .set("subject", t.subject)
                   .set("test", t.test)
                   .set("statistic", t.statistic)
                   .set("p", t.p)
                   .set("n", static_cast<int64_t>(t.n)));
  return Json::object()
      .set("property", p.property ? p.property->id : "")
      .set("variables", p.variables)
      .set("answer", answerName(p.answer))
      .set("source", sourceName(p.source))
      .set("says", p.sentence())
      .set("evidence", p.evidence.text)
      .set("tests", tests);
}

Json verdictJson(const Selection &s, const ProcedureVerdict &v) {
  Json requirements = Json::array(), decisive = Json::array();
  for (size_t i : v.requirements)
    requirements.push(property(s.instances()[i]));
  for (size_t i : v.decisive)
    decisive.push(Json::of(s.instances()[i].sentence()));
  return Json::object()
      .set("id", v.procedure->id)
      .set("name", v.procedure->name)
      .set("validity", v.validity == Validity::Valid  ? "valid"
                       : v.validity == Validity::Open ? "open"
                                                      : "rejected")
      .set("requirements", requirements)
      .set("decisive", decisive);
}

Json comparisonsJson(const HypothesisAnalysis &a) {
  Json list = Json::array();
  for (const auto &[variable, result] : a.comparisons) {
    Json one = Json::object()
                   .set("variable", variable)
                   .set("name", result.name)
                   .set("method", result.method);
    if (!result.defined())
      one.set("reason", result.reason);
    list.push(one.set("tables", tables(result.tables)));
  }
  return list;
}

Json hypothesisJson(const HypothesisAnalysis &a) {
  Json runs = Json::array(), verdicts = Json::array();
  for (const ProcedureRun &run : a.runs)
    runs.push(resultJson(run.computed).set("procedure", run.procedure->id));
  for (const ProcedureVerdict &v : a.selection->verdicts())
    verdicts.push(verdictJson(*a.selection, v));
  Json json = Json::object()
                  .set("hypothesis", writeHypothesis(*a.hypothesis))
                  .set("decision", a.decision == Decision::Supported      ? "supported"
                                   : a.decision == Decision::NotSupported ? "not supported"
                                                                          : "undecided")
                  .set("alpha", a.situation->study.alpha)
                  .set("chosen", a.deciding() ? a.deciding()->procedure->id : "")
                  .set("fallback", a.fallback);
  if (a.p)
    json.set("p", pJson(*a.p));
  if (a.adjustedP)
    json.set("adjusted_p", *a.adjustedP);
  json.set("results", runs);
  if (!a.comparisons.empty())
    json.set("comparisons", comparisonsJson(a));
  return json.set("verdicts", verdicts)
      .set("rows_used", static_cast<int64_t>(a.situation->rows().rows.size()))
      .set("rows_dropped", static_cast<int64_t>(a.situation->rows().dropped))
      .set("property_tests", static_cast<int64_t>(a.selection->propertyTests()))
      .set("warnings", a.warnings);
}

} // namespace

Json resultJson(const Computed &c) {
  const TestResult &r = c.result;
  Json json = Json::object()
                  .set("name", r.name)
                  .set("outcome", r.outcome == Outcome::Defined     ? "defined"
                                  : r.outcome == Outcome::Undefined ? "undefined"
                                                                    : "refused");
  if (!r.reason.empty())
    json.set("reason", r.reason);
  json.set("statistics", numbers(r.statistics)).set("df", numbers(r.df));
  if (c.p)
    json.set("p", pJson(*c.p));
  json.set("tail", c.alternative == Alternative::TwoSided  ? "two-sided"
                   : c.alternative == Alternative::Greater ? "greater"
                                                           : "less")
      .set("p_values", pValues(r.p));
  if (r.estimate)
    json.set("estimate", estimate(r.estimate->name, r.estimate->value, r.estimate->interval));
  return json.set("effects", effects(r.effects))
      .set("n", numbers(r.n))
      .set("groups", c.groups)
      .set("method", r.method)
      .set("notes", r.notes)
      .set("tables", tables(r.tables))
      .set("apa", apaSentence(c));
}

Json reportJson(const StudyAnalysis &analysis) {
  Json list = Json::array();
  for (const HypothesisAnalysis &a : analysis.hypotheses)
    list.push(hypothesisJson(a));
  return Json::object()
      .set("hypotheses", list)
      .set("property_tests", static_cast<int64_t>(analysis.propertyTests));
}

Json whyNotJson(Selection &selection, const ProcedureVerdict &verdict) {
  selection.violated(verdict);
  Json json = verdictJson(selection, verdict), changes = Json::array();
  std::optional<std::vector<size_t>> wanted = selection.wanted(verdict);
  for (size_t i : wanted.value_or(std::vector<size_t>()))
    changes.push(property(selection.instances()[i]));
  return json.set("possible", wanted.has_value()).set("would_have_to_change", changes);
}

} // namespace imbrex::stats
