#include "stats/language/Keys.h"

#include "stats/data/Table.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <map>

namespace imbrex::stats {
namespace {

struct Key {
  const char *name;                        // as the formatter writes it
  std::vector<const char *> synonyms = {}; // of the published programs
};

struct Group {
  const char *what; // of error texts
  std::vector<Key> keys;
};

const Group &groupOf(KeyGroup group) {
  static const Group groups[] = {
      {"statement",
       {{"data"},
        {"variables"},
        {"design"},
        {"assume", {"assumptions"}},
        {"alpha"},
        {"threshold"},
        {"mode"},
        {"rules"},
        {"conventions"},
        {"hypothesis", {"hypothesize", "hypotheses"}}}},
      {"key of data",
       {{"file"},
        {"key"},
        {"table"},
        {"query"},
        {"delimiter"},
        {"decimal"},
        {"thousands"},
        {"encoding"},
        {"na"},
        {"reshape"}}},
      {"key of the design",
       {{"study", {"study type"}},
        {"independent", {"independent variables", "independent variable"}},
        {"dependent", {"dependent variables", "dependent variable"}},
        {"contributor", {"contributors", "contributor variables", "contributor variable"}},
        {"outcome", {"outcomes", "outcome variables", "outcome variable"}},
        {"between", {"between subjects"}},
        {"within", {"within subjects"}}}},
      {"assumption",
       {{"normal", {"normal distribution"}},
        {"groups normal", {"groups normally distributed"}},
        {"equal variance", {"equal variances"}},
        {"differences normal"},
        {"residuals normal"},
        {"cells normal"},
        {"cells equal variance"},
        {"sphericity"}}},
      {"data type", {{"nominal"}, {"ordinal"}, {"interval"}, {"ratio"}}},
      {"key of a variable",
       {{"name"}, {"type", {"data type"}}, {"categories"}, {"range"}, {"others"}}},
      {"key of a hypothesis", {{"variables"}, {"prediction", {"predictions"}}}},
  };
  return groups[static_cast<size_t>(group)];
}

} // namespace

std::string canonicalKey(KeyGroup group, std::string_view word) {
  for (const Key &key : groupOf(group).keys)
    if (word == key.name || std::any_of(key.synonyms.begin(), key.synonyms.end(),
                                        [&](const char *s) { return word == s; }))
      return key.name;
  return "";
}

const std::vector<std::string> &keysOf(KeyGroup group) {
  static std::map<KeyGroup, std::vector<std::string>> lists;
  std::vector<std::string> &list = lists[group];
  if (list.empty())
    for (const Key &key : groupOf(group).keys)
      list.emplace_back(key.name);
  return list;
}

Error unknownKey(KeyGroup group, std::string_view word, FileLocation where) {
  if (group == KeyGroup::Assumption && word == "log normal distribution")
    return unsupported(1232, "the assumption 'log normal distribution' has no meaning here",
                       "it stands for a transformation of the data, not for a property",
                       "a column with the logarithms", where);
  std::string near = nearestName(word, keysOf(group)), list;
  for (const std::string &key : keysOf(group))
    list += (list.empty() ? "" : ", ") + key;
  return badInput(1232,
                  std::string("there is no ") + groupOf(group).what + " '" +
                      std::string(word.substr(0, 80)) + "'",
                  "", near.empty() ? "one of " + list : "'" + near + "'", where);
}

std::string propertyOf(std::string_view key) {
  std::string out(key);
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}

std::string assumptionOf(std::string_view property) {
  std::string out(property);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

int arityOf(std::string_view key) {
  if (key == "normal")
    return 1;
  return key.starts_with("residuals") || key.starts_with("cells") ? -1 : 2;
}

std::string measureName(Measure measure) {
  return keysOf(KeyGroup::Measure)[static_cast<size_t>(measure)];
}

Measure measureOf(std::string_view canonical) {
  const auto &names = keysOf(KeyGroup::Measure);
  return static_cast<Measure>(std::find(names.begin(), names.end(), canonical) - names.begin());
}

} // namespace imbrex::stats
