// Is a hypothesis about declared variables, of types that it can be about, and free of
// contradictions?
#include "stats/language/CheckStudy.h"
#include "stats/language/Keys.h"
#include "stats/language/Lexer.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace imbrex::stats {

constexpr size_t mostNames = 100; // designs are crossed, and every pair of variables is looked at
constexpr size_t mostCells = 100'000;   // of a design: each is a group of its own
constexpr size_t mostHypotheses = 1000; // each is analysed by itself

void StudyChecker::checkHypotheses() {
  if (study.hypotheses.empty() && !study.variables.empty())
    error(1233, {}, "the study has no hypothesis", "",
          "`hypothesis Y by GROUP: A > B`, `hypothesis Y ~ X` or `hypothesis X, Y`");
  if (study.hypotheses.size() > mostHypotheses) {
    error(1239, study.hypotheses[mostHypotheses].place, "the study has more than 1000 hypotheses",
          "it has " + std::to_string(study.hypotheses.size()), "several studies");
    return;
  }
  for (Hypothesis &h : study.hypotheses)
    checkHypothesis(h);
}

void StudyChecker::checkHypothesis(Hypothesis &h) {
  if (!checkNames(h))
    return;
  settleAssociation(h);
  if (!checkCells(h))
    return;
  checkRoles(h);
  if (h.form == HypothesisForm::Groups)
    checkGroups(h);
  if (h.form == HypothesisForm::Linear)
    checkLinear(h);
  if (h.form == HypothesisForm::Constant && study.find(h.outcome)->measure == Measure::Nominal)
    error(1237, h.place, "'" + h.outcome + "' cannot be compared with a number", "it is nominal",
          "an interval or ratio variable");
  if (!h.comparisons.empty())
    checkComparisons(h);
}

bool StudyChecker::checkNames(const Hypothesis &h) {
  std::vector<std::string> all = h.variables;
  all.insert(all.end(), h.given.begin(), h.given.end());
  if (!h.outcome.empty())
    all.push_back(h.outcome);
  if (all.size() > mostNames) {
    error(1237, h.place, "the hypothesis is about more than 100 variables",
          "it names " + std::to_string(all.size()), "fewer");
    return false;
  }
  std::set<std::string> seen;
  bool good = true;
  for (const std::string &name : all) {
    good &= declared(name, h.place) != nullptr;
    if (!seen.insert(name).second) {
      error(1237, h.place, "the hypothesis names '" + name + "' twice");
      good = false;
    }
  }
  return good;
}

/// Of `a, b` at most one variable is explained; then it is about groups or a line, as their types
/// say.
void StudyChecker::settleAssociation(Hypothesis &h) {
  if (h.form != HypothesisForm::Association)
    return;
  std::vector<std::string> explained;
  for (const std::string &name : h.variables)
    if (contains(study.design.explained, name))
      explained.push_back(name);
  if (explained.size() == 1)
    h.outcome = explained[0];
  if (h.variables.size() > 2 && explained.size() != 1)
    error(1237, h.place, "it is open which of the variables is explained",
          explained.empty() ? "the design names none of them as dependent or outcome"
                            : "the design names several of them",
          "`Y by X1, X2`");
  if (!h.outcome.empty())
    h.variables.erase(std::find(h.variables.begin(), h.variables.end(), h.outcome));
}

/// Categories are crossed, whatever the form is.
bool StudyChecker::checkCells(const Hypothesis &h) {
  size_t cells = 1;
  for (const std::string &name : h.variables)
    if (const Variable &v = *study.find(name); v.categorical()) {
      cells *= std::max<size_t>(v.categories.size(), 1);
      if (cells > mostCells) {
        error(1237, h.place, "the hypothesis is about more than 100000 combinations of categories",
              "each needs observations of its own", "fewer variables, or fewer categories");
        return false;
      }
    }
  return true;
}

void StudyChecker::checkRoles(const Hypothesis &h) {
  const Design &d = study.design;
  for (const std::string &name : h.variables)
    if (contains(d.explained, name) && contains(d.explanatory, h.outcome))
      error(1234, h.place, "the hypothesis explains '" + h.outcome + "' by '" + name + "'",
            "the design has it the other way round", "exchanging them");
}

void StudyChecker::checkGroups(const Hypothesis &h) {
  for (const std::string &name : h.variables)
    if (study.find(name)->continuous())
      error(1237, h.place, "'" + name + "' has no groups",
            "it is " + measureName(study.find(name)->measure),
            "`" + writtenName(h.outcome) + " ~ " + writtenName(name) + "`, or `given " +
                writtenName(name) + "` for a covariate");
  for (const std::string &name : h.given)
    if (study.find(name)->measure == Measure::Nominal)
      error(1237, h.place, "'" + name + "' cannot be a covariate", "it is nominal",
            "naming it after 'by'");
}

void StudyChecker::checkLinear(const Hypothesis &h) {
  const Variable &y = *study.find(h.outcome);
  for (const LinearTerm &term : h.terms) {
    const Variable &x = *study.find(term.variable);
    if (x.measure == Measure::Nominal && y.measure == Measure::Nominal)
      error(1237, h.place, "two nominal variables cannot be in a linear relationship",
            "'" + y.name + "' and '" + x.name + "' are nominal, whatever numbers code them",
            "`" + writtenName(y.name) + " by " + writtenName(x.name) + "`");
    else if (x.measure == Measure::Nominal && x.categories.size() > 2)
      error(1237, h.place, "'" + x.name + "' cannot be in a linear relationship",
            "it is nominal with " + std::to_string(x.categories.size()) + " categories",
            "`" + writtenName(y.name) + " by " + writtenName(x.name) + "`");
  }
  if (y.measure == Measure::Nominal && y.categories.size() > 2)
    error(1237, h.place, "'" + y.name + "' cannot be in a linear relationship",
          "it is nominal with " + std::to_string(y.categories.size()) + " categories");
}

/// The variable whose categories the comparisons name.
bool StudyChecker::settleCompared(Hypothesis &h) {
  std::vector<std::string> candidates = h.variables;
  if (!h.outcome.empty())
    candidates.push_back(h.outcome);
  if (!h.compared.empty()) {
    if (contains(candidates, h.compared))
      return true;
    std::string near = nearestName(h.compared, candidates);
    error(1237, h.place, "the comparison is about '" + h.compared + "'",
          "the hypothesis does not name that variable", near.empty() ? "" : "'" + near + "'");
    return false;
  }
  const std::string &category = h.comparisons[0].left;
  for (const std::string &name : candidates)
    if (study.find(name)->categorical() && contains(study.find(name)->categories, category)) {
      h.compared = name;
      return true;
    }
  for (const std::string &name : candidates)
    if (study.find(name)->categorical() && h.compared.empty())
      h.compared = name; // the message then says what its categories are
  if (h.compared.empty())
    error(1237, h.comparisons[0].place, "there is nothing to compare",
          "none of the variables has categories", "`Y ~ X` for a linear hypothesis");
  return !h.compared.empty();
}

void StudyChecker::checkCategory(const Variable &v, const std::string &category, Place place) {
  if (contains(v.categories, category))
    return;
  std::string near = nearestName(category, v.categories), list;
  for (const std::string &c : v.categories)
    list += (list.empty() ? "" : ", ") + c;
  error(1235, place, "'" + category + "' is no category of '" + v.name + "'", "it has " + list,
        near.empty() ? "" : "'" + near + "'");
}

void StudyChecker::checkComparisons(Hypothesis &h) {
  if (h.form == HypothesisForm::Linear || h.form == HypothesisForm::Constant) {
    error(1237, h.place, "comparisons of categories do not belong here", "", "`Y by X: A > B`");
    return;
  }
  if (!settleCompared(h))
    return;
  const Variable &v = *study.find(h.compared);
  if (v.continuous()) {
    error(1237, h.place, "'" + v.name + "' has no categories to compare",
          "it is " + measureName(v.measure));
    return;
  }
  std::map<std::pair<std::string, std::string>, Order> seen;
  for (const Comparison &c : h.comparisons) {
    checkCategory(v, c.left, c.place);
    checkCategory(v, c.right, c.place);
    if (c.left == c.right)
      error(1237, c.place, "'" + c.left + "' is compared with itself");
    if (c.factor != 1 && !h.outcome.empty() && study.find(h.outcome)->measure != Measure::Ratio)
      error(1237, c.place, "'" + h.outcome + "' cannot be compared by a factor",
            "it is " + measureName(study.find(h.outcome)->measure) +
                ", and only a ratio variable has a true zero");
    if (c.margin && (c.order != Order::Equal || *c.margin <= 0))
      error(1237, c.place, "a margin belongs to an equality and is positive", "",
            "`A = B within 0.5`");
    bool swap = c.left > c.right;
    Order order = !swap || c.order == Order::Different || c.order == Order::Equal ? c.order
                  : c.order == Order::Greater                                     ? Order::Less
                                                                                  : Order::Greater;
    auto key = swap ? std::pair(c.right, c.left) : std::pair(c.left, c.right);
    auto [entry, fresh] = seen.emplace(key, order);
    if (!fresh)
      error(entry->second == order ? 1237 : 1234, c.place,
            "'" + c.left + "' and '" + c.right + "' are compared twice",
            entry->second == order ? "" : "the two comparisons contradict each other",
            "one of them");
  }
  checkOrder(h);
}

/// A partial order has no cycle: removes categories that nothing is above until none is left.
void StudyChecker::checkOrder(const Hypothesis &h) {
  std::map<std::string_view, std::vector<std::string_view>> below;
  std::map<std::string_view, size_t> above; // how many stand above each
  for (const Comparison &c : h.comparisons) {
    if (c.order != Order::Greater && c.order != Order::Less)
      continue;
    bool greater = c.order == Order::Greater;
    below[greater ? c.left : c.right].push_back(greater ? c.right : c.left);
    ++above[greater ? c.right : c.left];
    above.try_emplace(greater ? c.left : c.right, 0);
  }
  std::vector<std::string_view> top;
  for (const auto &[name, count] : above)
    if (count == 0)
      top.push_back(name);
  size_t removed = 0;
  for (; !top.empty(); ++removed) {
    std::string_view name = top.back();
    top.pop_back();
    for (std::string_view next : below[name])
      if (--above[next] == 0)
        top.push_back(next);
  }
  if (removed == above.size())
    return;
  auto circular = std::find_if(above.begin(), above.end(), [](const auto &e) { return e.second; });
  error(1234, h.place, "the comparisons go round in a circle",
        "'" + std::string(circular->first) + "' would have to be greater than itself");
}

} // namespace imbrex::stats
