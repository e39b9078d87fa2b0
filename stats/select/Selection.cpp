#include "stats/select/Selection.h"

#include "stats/language/Keys.h"
#include "stats/select/SelectionSolver.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

/// What stands for a parameter: a variable, or all those of a variadic one.
std::string valueOf(const Property &property, size_t parameter,
                    const std::vector<std::string> &variables) {
  size_t extra = variables.size() - std::min(variables.size(), property.parameters.size());
  if (property.parameters[parameter].starts_with('*')) {
    std::string value;
    for (size_t k = 0; k <= extra && k < variables.size(); ++k)
      value += (k ? " and " : "") + variables[k];
    return value;
  }
  return parameter + extra < variables.size()
             ? variables[parameter + (property.variadic() ? extra : 0)]
             : "";
}

/// In one pass: names of variables may look like parameters.
std::string filled(const std::string &pattern, const Property &property,
                   const std::vector<std::string> &variables) {
  std::string text;
  for (size_t at = 0; at < pattern.size();) {
    size_t found = SIZE_MAX;
    std::string_view rest = std::string_view(pattern).substr(at);
    for (size_t i = 0; i < property.parameters.size() && found == SIZE_MAX; ++i) {
      const std::string &name = property.parameters[i];
      if (rest.starts_with("{" + name.substr(name.starts_with('*')) + "}"))
        found = i;
    }
    if (found == SIZE_MAX) {
      text += pattern[at++];
      continue;
    }
    text += valueOf(property, found, variables);
    at = pattern.find('}', at) + 1;
  }
  return text;
}

} // namespace

std::string PropertyInstance::positive() const {
  return property ? filled(property->says, *property, variables) : evidence.text;
}

std::string PropertyInstance::sentence() const {
  if (!property)
    return evidence.text;
  std::string holds = filled(property->says, *property, variables);
  return answer == Answer::Fails       ? filled(property->otherwise, *property, variables)
         : answer == Answer::Undefined ? "it cannot be told whether " + holds
                                       : holds;
}

Selection::Selection(const Knowledge &knowledge, const std::string &rules,
                     const Situation &situation)
    : knowledge(&knowledge), rules(rules), situation(&situation) {}
Selection::~Selection() = default;

Result<std::unique_ptr<Selection>> Selection::create(const Knowledge &knowledge,
                                                     const std::string &rules,
                                                     const Situation &situation) {
  if (knowledge.procedureNames(rules).empty())
    return badInput(1254, "the knowledge has no rules '" + rules + "'", "",
                    "'default' or 'tea-2019'");
  std::unique_ptr<Selection> selection(new Selection(knowledge, rules, situation));
  selection->build();
  return selection;
}

/// The 2019 rules use alpha for everything; ours do not (Study::threshold).
double Selection::threshold() const {
  return rules == "tea-2019" ? situation->study.alpha : situation->study.threshold;
}

size_t Selection::intern(const Property *property, std::vector<std::string> variables,
                         std::string missing) {
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].property == property && properties[i].variables == variables &&
        (property || properties[i].evidence.text == missing))
      return i;
  PropertyInstance instance{property, std::move(variables), {}, Source::None, Answer::Open};
  if (!property) {
    instance.evidence = {Answer::Fails, std::move(missing), {}};
    instance.answer = Answer::Fails;
    instance.source = Source::Declaration;
  }
  properties.push_back(std::move(instance));
  return properties.size() - 1;
}

/// One instance, or one for each explanatory variable. A role that nothing fills makes an instance
/// that fails.
std::vector<size_t> Selection::instancesFor(const Requirement &requirement) {
  const Property *property = knowledge->property(requirement.property);
  std::vector<std::vector<std::string>> lists(1);
  auto append = [&](const std::string &name) {
    for (auto &list : lists)
      list.push_back(name);
  };
  for (const std::string &role : requirement.roles) {
    const auto &xs = situation->explanatory, &ys = situation->explained, &all = situation->ordered;
    if (role == "x" && xs.size() == 1)
      append(xs[0]);
    else if (role == "y" && ys.size() == 1)
      append(ys[0]);
    else if (role == "first" && all.size() == 2)
      append(all[0]);
    else if (role == "second" && all.size() == 2)
      append(all[1]);
    else if (role == "all" && !xs.empty())
      for (const std::string &x : xs)
        append(x);
    else if (role == "each" && !xs.empty()) {
      std::vector<std::vector<std::string>> longer;
      for (const auto &list : lists)
        for (const std::string &x : xs) {
          longer.push_back(list);
          longer.back().push_back(x);
        }
      lists = std::move(longer);
    } else {
      const char *what = role == "y"   ? "there is no single explained variable"
                         : role == "x" ? "there is no single explanatory variable"
                         : role == "each" || role == "all" ? "there is no explanatory variable"
                                                           : "there are not exactly two variables";
      return {intern(nullptr, {}, what)};
    }
  }
  std::vector<size_t> result;
  for (auto &list : lists)
    result.push_back(intern(property, std::move(list), ""));
  return result;
}

void Selection::build() {
  for (const Procedure &procedure : knowledge->procedures) {
    auto found = procedure.rules.find(rules);
    if (found == procedure.rules.end() || procedure.fallback)
      continue;
    ProcedureVerdict verdict{&procedure, Validity::Open, {}, {}};
    for (const Requirement &requirement : found->second)
      for (size_t index : instancesFor(requirement))
        if (std::find(verdict.requirements.begin(), verdict.requirements.end(), index) ==
            verdict.requirements.end())
          verdict.requirements.push_back(index);
    procedures.push_back(std::move(verdict));
  }
  solver = std::make_unique<Solver>(properties, procedures);
}

/// A solver takes about ten megabytes: with data, it is only there while it is needed.
Selection::Solver &Selection::theSolver() {
  if (!solver)
    solver = std::make_unique<Solver>(properties, procedures);
  return *solver;
}

/// Measures, unless that is done.
void Selection::know(size_t index) {
  PropertyInstance &p = properties[index];
  if (p.source != Source::None)
    return;
  p.evidence = measure(p.property->measure, *situation, p.variables, threshold());
  p.answer = p.evidence.answer;
  if (p.answer == Answer::Open && !situation->hasData())
    return;
  if (p.answer == Answer::Open)
    p.answer = Answer::Undefined;
  p.source = p.property->cost == 0 ? Source::Declaration : Source::Data;
}

/// Assumptions count before anything else is measured. They are checked on the data all the same.
void Selection::assume() {
  for (const Assumption &a : situation->study.assumptions) {
    auto found = std::find_if(properties.begin(), properties.end(), [&](const PropertyInstance &p) {
      return p.property && p.property->id == a.property && p.variables == a.variables;
    });
    if (found == properties.end()) {
      notes.push_back({"the assumption '" + assumptionOf(a.property) + "' about " +
                           a.variables.back() + " matters to no procedure here",
                       false});
      continue;
    }
    know(static_cast<size_t>(found - properties.begin()));
    bool contradicted = found->answer == Answer::Fails;
    bool relaxed = situation->study.mode == Mode::Relaxed;
    if (contradicted)
      notes.push_back({"the data contradicts the assumption that " + found->positive() + " (" +
                           found->evidence.text + "); mode " +
                           (relaxed ? "relaxed keeps it" : "strict drops it"),
                       true});
    if (!contradicted || relaxed) {
      found->answer = Answer::Holds;
      found->source = Source::Assumption;
    }
  }
}

void Selection::tryProcedure(ProcedureVerdict &verdict) {
  size_t index = static_cast<size_t>(&verdict - procedures.data());
  while (true) {
    std::optional<std::vector<size_t>> refuted = solver->refute(index);
    if (refuted) {
      verdict.validity = Validity::Rejected;
      verdict.decisive = std::move(*refuted);
      return;
    }
    size_t best = SIZE_MAX;
    for (size_t i : verdict.requirements)
      if (properties[i].source == Source::None &&
          (best == SIZE_MAX || properties[i].property->cost < properties[best].property->cost))
        best = i;
    if (best == SIZE_MAX || !situation->hasData())
      break;
    know(best);
    solver->learn(best);
  }
  bool all = std::all_of(verdict.requirements.begin(), verdict.requirements.end(),
                         [&](size_t i) { return properties[i].answer == Answer::Holds; });
  verdict.validity = all ? Validity::Valid : Validity::Open;
}

void Selection::run() {
  for (size_t i = 0; i < properties.size(); ++i)
    if (properties[i].property && properties[i].property->cost == 0)
      know(i);
  assume();
  for (size_t i = 0; i < properties.size(); ++i)
    solver->learn(i);
  // What is cheap to decide goes first: its facts refute others.
  std::vector<std::pair<int, size_t>> order;
  for (size_t i = 0; i < procedures.size(); ++i) {
    int cost = 0;
    for (size_t r : procedures[i].requirements)
      if (properties[r].source == Source::None)
        cost = std::max(cost, properties[r].property->cost);
    order.emplace_back(cost, i);
  }
  std::sort(order.begin(), order.end());
  for (auto [cost, i] : order)
    tryProcedure(procedures[i]);
  if (situation->hasData()) // else a plan goes on from here
    solver.reset();
}

std::vector<size_t> Selection::violated(const ProcedureVerdict &verdict) {
  std::vector<size_t> result;
  for (size_t i : verdict.requirements) {
    if (properties[i].property)
      know(i);
    if (properties[i].answer == Answer::Fails || properties[i].answer == Answer::Undefined)
      result.push_back(i);
  }
  return result;
}

std::optional<std::vector<size_t>> Selection::wanted(const ProcedureVerdict &verdict) {
  violated(verdict);
  auto least = theSolver().leastChange(static_cast<size_t>(&verdict - procedures.data()));
  solver.reset();
  return least;
}

std::vector<const ProcedureVerdict *> Selection::valid() const {
  std::vector<const ProcedureVerdict *> result;
  for (const ProcedureVerdict &v : procedures)
    if (v.validity == Validity::Valid)
      result.push_back(&v);
  return result;
}

const ProcedureVerdict *Selection::find(std::string_view id) const {
  for (const ProcedureVerdict &v : procedures)
    if (v.procedure->id == id)
      return &v;
  return nullptr;
}

size_t Selection::propertyTests() const {
  size_t count = 0;
  for (const PropertyInstance &p : properties)
    count += p.evidence.tests.size();
  return count;
}

} // namespace imbrex::stats
