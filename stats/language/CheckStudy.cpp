// Is a study complete and consistent? Everything but its hypotheses; those are in
// CheckHypothesis.cpp.
#include "stats/language/CheckStudy.h"

#include "stats/language/Keys.h"
#include "stats/language/Lexer.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <set>

namespace imbrex::stats {

const Variable *Study::find(std::string_view name) const {
  for (const Variable &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

bool contains(const std::vector<std::string> &list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void StudyChecker::error(uint16_t code, Place place, std::string what, std::string because,
                         std::string remedy) {
  errors.push_back(
      badInput(code, std::move(what), std::move(because), std::move(remedy), study.at(place)));
}

const Variable *StudyChecker::declared(const std::string &name, Place place) {
  if (const Variable *variable = study.find(name))
    return variable;
  std::vector<std::string> names;
  for (const Variable &variable : study.variables)
    names.push_back(variable.name);
  std::string near = nearestName(name, names);
  error(1235, place, "there is no variable '" + name + "'",
        near.empty() ? "the block 'variables' does not declare it" : "",
        near.empty() ? "`" + writtenName(name) + ": ratio` there, or nominal, ordinal, interval"
                     : "'" + near + "'");
  return nullptr;
}

void StudyChecker::checkVariables() {
  if (study.variables.empty())
    error(1233, {}, "the study declares no variables", "",
          "a block 'variables' with lines such as `Score: ratio` or `Group: nominal [A, B]`");
  std::set<std::string> seen;
  for (const Variable &v : study.variables) {
    if (!seen.insert(v.name).second)
      error(1234, v.place, "variable '" + v.name + "' is declared twice", "", "one of them");
    if (v.categorical() && v.categories.empty())
      error(1233, v.place, "the categories of '" + v.name + "' are missing",
            v.measure == Measure::Ordinal ? "an ordinal variable needs them, from lowest to highest"
                                          : "a nominal variable needs them",
            writtenName(v.name) + ": " + measureName(v.measure) +
                (v.measure == Measure::Ordinal ? " [low < high]" : " [A, B]"));
    std::set<std::string> categories;
    for (const std::string &category : v.categories)
      if (!categories.insert(std::string(trimmed(category))).second)
        error(1234, v.place, "category '" + category + "' of '" + v.name + "' stands twice", "",
              "one of them");
    if (v.continuous() && v.others == ColumnSpec::Others::Missing)
      error(1234, v.place, "'others missing' needs categories", "'" + v.name + "' has numbers",
            "`na:` in the data block");
    if (v.low && v.high && *v.low > *v.high)
      error(1236, v.place, "the range of '" + v.name + "' ends before it starts");
  }
}

void StudyChecker::checkDesign() {
  const Design &d = study.design;
  if (!d.declared && !study.variables.empty())
    error(1233, {}, "the study's design is missing", "it says which variable explains which",
          d.kind == StudyKind::Experiment
              ? "a block 'design experiment' with 'independent:' and 'dependent:'"
              : "a block 'design observational' with 'contributor:' and 'outcome:', or 'design "
                "experiment' with 'independent:' and 'dependent:'");
  for (const auto *list : {&d.explanatory, &d.explained, &d.between, &d.within})
    for (const std::string &name : *list)
      declared(name, d.place);
  for (const std::string &name : d.explained)
    if (contains(d.explanatory, name))
      error(1234, d.place, "'" + name + "' is both explanatory and explained", "",
            "one of the two");
  for (const std::string &name : d.within) {
    if (contains(d.between, name))
      error(1234, d.place, "'" + name + "' is both between and within subjects",
            "each participant has seen either one or all of its categories", "one of the two");
    if (contains(d.explained, name))
      error(1234, d.place, "'" + name + "' is explained and cannot be within subjects");
  }
  if (!d.within.empty() && study.data.key.empty() && !study.data.rowOrder)
    error(1233, d.place, "'within: " + d.within[0] + "' needs a key",
          "the values of a participant must be matched",
          "`key: COLUMN` in the data block, or `key: row order` if the rows of all categories are "
          "in the same order");
  if (study.data.rowOrder && !study.data.key.empty())
    error(1234, study.data.place, "the key is both a column and the row order");
}

void StudyChecker::checkAssumptions() {
  for (Assumption &a : study.assumptions) {
    int arity = arityOf(assumptionOf(a.property));
    std::string key = assumptionOf(a.property);
    bool known = true;
    for (const std::string &name : a.variables)
      known &= declared(name, a.place) != nullptr;
    if (!known)
      continue;
    if (arity > 0 && static_cast<int>(a.variables.size()) != arity) {
      error(1236, a.place, "'" + key + "' is about " + std::to_string(arity) + " variables",
            std::to_string(a.variables.size()) + " stand here");
      continue;
    }
    orient(a);
    const Variable &y = *study.find(a.variables.back());
    if (!y.continuous())
      error(1234, a.place, "'" + key + "' cannot hold for '" + y.name + "'",
            "it is " + measureName(y.measure), "an interval or ratio variable");
    for (size_t i = 0; i + 1 < a.variables.size(); ++i)
      if (study.find(a.variables[i])->continuous())
        error(1234, a.place, "'" + key + "' needs groups, and '" + a.variables[i] + "' has none",
              "it is " + measureName(study.find(a.variables[i])->measure));
  }
}

/// Pairs of the published programs name either variable first.
void StudyChecker::orient(Assumption &a) {
  std::vector<std::string> numbers;
  std::erase_if(a.variables, [&](const std::string &name) {
    bool number = study.find(name)->continuous();
    if (number)
      numbers.push_back(name);
    return number;
  });
  a.variables.insert(a.variables.end(), numbers.begin(), numbers.end());
}

void StudyChecker::checkData() {
  const DataSource &data = study.data;
  if (!data.table.empty() && !data.query.empty())
    error(1234, data.place, "the data names both a table and a query", "", "one of them");
  if (data.delimiter && data.decimal && *data.delimiter == *data.decimal)
    error(1234, data.place, "the delimiter and the decimal mark are the same character");
  if (data.decimal && data.thousands && *data.decimal == *data.thousands)
    error(1234, data.place, "the decimal mark and the thousands mark are the same character");
  if (data.reshape)
    checkReshape(*data.reshape);
}

/// What is reshaped is gone afterwards; each of the other columns has a name of its own.
void StudyChecker::checkReshape(const ReshapeSpec &reshape) {
  const DataSource &data = study.data;
  for (const std::string &name : {reshape.levels, reshape.values})
    declared(name, data.place);
  if (reshape.levels == reshape.values)
    error(1234, data.place, "`reshape` makes two columns '" + reshape.values + "'", "",
          "different names for the categories and the values");
  for (const std::string &name : {reshape.levels, reshape.values})
    if (name == data.key)
      error(1234, data.place, "'" + name + "' is both the key and a column that `reshape` makes");
  std::set<std::string> seen;
  for (const std::string &name : reshape.columns) {
    if (!seen.insert(name).second)
      error(1234, data.place, "`reshape` names column '" + name + "' twice");
    if (name == data.key)
      error(1234, data.place, "'" + name + "' is both the key and a column that is reshaped");
    if (study.find(name))
      error(1234, study.find(name)->place, "'" + name + "' is no variable: it is reshaped",
            "its values are those of '" + reshape.values + "'",
            "leaving it out of the variables, or out of `reshape`");
  }
  const Variable *levels = study.find(reshape.levels);
  if (levels && levels->continuous())
    error(1234, levels->place, "'" + levels->name + "' holds the categories that `reshape` makes",
          "it is " + measureName(levels->measure), "nominal or ordinal");
  for (const std::string &category : levels ? levels->categories : std::vector<std::string>())
    if (!contains(reshape.columns, category))
      error(1234, levels->place,
            "category '" + category + "' of '" + levels->name + "' has no column",
            "`reshape` makes its categories of the columns that it names",
            "leaving it out, or naming its column after 'from'");
}

std::vector<Error> checkStudy(Study &study) {
  StudyChecker checker{study, {}};
  checker.checkData();
  checker.checkVariables();
  checker.checkDesign();
  checker.checkAssumptions();
  checker.checkHypotheses();
  return std::move(checker.errors);
}

std::vector<ColumnSpec> columnsOf(const Study &study) {
  std::vector<ColumnSpec> specs;
  const auto &reshape = study.data.reshape;
  for (const Variable &v : study.variables) {
    if (reshape && (v.name == reshape->levels || v.name == reshape->values))
      continue;
    ColumnSpec spec{v.name};
    spec.kind = v.categorical() ? ColumnSpec::Kind::Category : ColumnSpec::Kind::Number;
    spec.categories = v.categories;
    spec.low = v.low;
    spec.high = v.high;
    spec.others = v.others;
    specs.push_back(std::move(spec));
  }
  const std::string &key = study.data.key;
  if (!key.empty() && !study.find(key)) {
    ColumnSpec spec{key};
    spec.kind = ColumnSpec::Kind::Category;
    specs.push_back(std::move(spec));
  }
  return specs;
}

} // namespace imbrex::stats
