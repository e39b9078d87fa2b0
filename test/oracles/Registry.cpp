#include "test/oracles/Registry.h"

namespace imbrex::stats::oracles {
namespace {

void addP(Json &json, const std::string &prefix, const PValues &p) {
  auto add = [&](const char *name, const std::optional<PValue> &value) {
    if (value)
      json.set(prefix + name, value->value).set(prefix + name + ".log", value->log);
  };
  add("p", p.undirected);
  add("p.less", p.less);
  add("p.greater", p.greater);
}

void addEstimate(Json &json, const std::string &prefix, const std::optional<Estimate> &estimate) {
  if (!estimate)
    return;
  json.set(prefix + "estimate", estimate->value);
  if (estimate->interval)
    json.set(prefix + "ci.low", estimate->interval->low)
        .set(prefix + "ci.high", estimate->interval->high);
}

void addEffects(Json &json, const std::string &prefix, const std::vector<EffectSize> &effects) {
  for (const EffectSize &effect : effects) {
    std::string name = prefix + "effect." + effect.name;
    json.set(name, effect.value);
    if (effect.interval)
      json.set(name + ".low", effect.interval->low).set(name + ".high", effect.interval->high);
  }
}

} // namespace

std::vector<double> numbersOf(const Json &array) {
  std::vector<double> result;
  for (const Json &item : array.items())
    result.push_back(item.toDouble());
  return result;
}

std::vector<std::vector<double>> groupsOf(const Json &arrays) {
  std::vector<std::vector<double>> result;
  for (const Json &item : arrays.items())
    result.push_back(numbersOf(item));
  return result;
}

Json flatten(const TestResult &result) {
  Json json = Json::object();
  json.set("outcome", result.outcome == Outcome::Defined     ? "defined"
                      : result.outcome == Outcome::Undefined ? "undefined"
                                                             : "refused");
  if (!result.reason.empty())
    json.set("reason", result.reason);
  json.set("method", result.method);
  for (const NamedNumber &number : result.statistics)
    json.set(number.name, number.value);
  for (size_t i = 0; i < result.df.size(); ++i)
    json.set("df" + std::to_string(i), result.df[i].value);
  addP(json, "", result.p);
  addEstimate(json, "", result.estimate);
  addEffects(json, "", result.effects);
  for (const ResultTable &table : result.tables)
    for (const ResultRow &row : table.rows) {
      std::string prefix = table.title + "/" + row.name + "/";
      for (const NamedNumber &number : row.numbers)
        json.set(prefix + number.name, number.value);
      addP(json, prefix, row.p);
      addEstimate(json, prefix, row.estimate);
      addEffects(json, prefix, row.effects);
    }
  return json;
}

const Registry &allProcedures() {
  static const Registry registry = [] {
    Registry r;
    addNumeric(r);
    addGroups(r);
    addAnova(r);
    addAssumptions(r);
    addRegression(r);
    addAssociation(r);
    addCategorical(r);
    addPosthoc(r);
    addResampling(r);
    return r;
  }();
  return registry;
}

Json answer(const Json &request) {
  std::string name = request.at("procedure").toText();
  auto found = allProcedures().find(name);
  if (found == allProcedures().end())
    return Json::object().set("error", "no procedure is called " + name);
  return flatten(found->second(request.at("arguments")));
}

} // namespace imbrex::stats::oracles
