// GROUP BY: keys, and the grouping sets that ROLLUP, CUBE and lists of sets stand for.
#include "proof/sql/bind/Binder.h"
#include "proof/sql/query/Builders.h"
#include "proof/sql/query/Rewrite.h"

#include <algorithm>

namespace imbrex::sql {

using Sets = std::vector<std::vector<uint32_t>>;

constexpr size_t MaxGroupingSets = 4096;

/// Each of `a` with each of `b`.
static Sets product(const Sets &a, const Sets &b) {
  Sets result;
  for (const auto &x : a)
    for (const auto &y : b) {
      std::vector<uint32_t> set = x;
      for (uint32_t key : y)
        if (std::find(set.begin(), set.end(), key) == set.end())
          set.push_back(key);
      result.push_back(std::move(set));
    }
  return result;
}

ExprPtr Binder::bindGroupKey(const ast::ExprPtr &key, const Scope &scope, const CommonScope *common,
                             const std::vector<Item> &items) {
  auto ofItem = [&](const Item &item) {
    return item.raw ? item.raw : bindExpr(item.source, scope, common);
  };
  if (rules.groupByPosition)
    if (std::optional<int64_t> position = ordinal(key, items.size(), "GROUP BY"))
      return ofItem(items[*position]);
  // A column of FROM goes before an item of that name.
  if (key->kind == ast::ExprKind::Name && key->names.size() == 1) {
    std::string name = folded(key->names[0]);
    bool isColumn = std::any_of(scope.columns->begin(), scope.columns->end(),
                                [&](const auto &c) { return c.name == name && !c.merged; });
    for (const Item &item : items)
      if (!isColumn && item.source && item.name == name && !item.written.empty())
        return ofItem(item);
  }
  return bindExpr(key, scope, common);
}

void Binder::bindGroupBy(const ast::Select &select, const Scope &scope, const CommonScope *common,
                         const std::vector<Item> &items, std::vector<ExprPtr> &keys, Sets &sets) {
  auto keyIndex = [&](const ast::ExprPtr &source) {
    ExprPtr key = bindGroupKey(source, scope, common, items);
    for (uint32_t i = 0; i < keys.size(); ++i)
      if (same(*keys[i], *key))
        return i;
    keys.push_back(key);
    limitColumns(keys.size(), "GROUP BY", source->place);
    return uint32_t(keys.size() - 1);
  };
  auto limited = [&](Sets result, Place place) {
    if (result.size() > MaxGroupingSets)
      fail(1001, "GROUP BY has too many grouping sets",
           "it has over " + std::to_string(MaxGroupingSets), "fewer", place);
    return result;
  };
  Place place = items.empty() ? Place{} : items[0].place;
  auto setsOf = [&](auto &self, const ast::GroupElement &element) -> Sets {
    if (element.kind == ast::GroupKind::Keys) {
      std::vector<uint32_t> set;
      for (const ast::ExprPtr &key : element.keys)
        if (uint32_t index = keyIndex(key); std::find(set.begin(), set.end(), index) == set.end())
          set.push_back(index);
      return {set};
    }
    Sets result, parts;
    for (const ast::GroupElement &inner : element.elements)
      for (auto &set : self(self, inner))
        parts.push_back(std::move(set));
    if (element.kind == ast::GroupKind::Sets)
      return limited(parts, place);
    bool rollup = element.kind == ast::GroupKind::Rollup;
    if (!rollup && parts.size() > 12)
      fail(1001, "CUBE over too many keys", "it has over 12", "fewer keys", place);
    for (uint32_t chosen = 0; chosen < (rollup ? parts.size() + 1 : 1u << parts.size()); ++chosen) {
      Sets one = {{}};
      for (size_t i = 0; i < parts.size(); ++i)
        if (rollup ? i + chosen < parts.size() : !(chosen >> (parts.size() - 1 - i) & 1))
          one = product(one, {parts[i]});
      result.push_back(one[0]);
    }
    return limited(result, place);
  };
  for (const ast::GroupElement &element : select.groupBy)
    sets = limited(product(sets, setsOf(setsOf, element)), place);
}

} // namespace imbrex::sql
