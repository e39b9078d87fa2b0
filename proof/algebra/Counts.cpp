// Counts, whose sign is a matter of existence: the number of rows is positive when there is a row.
#include "proof/algebra/Internal.h"
#include "proof/algebra/Recorder.h"

#include <algorithm>
#include <optional>

namespace imbrex::algebra {

namespace {

/// A sum of positive integers: every factor is an integer that the guard says is positive.
std::optional<Id> existence(Pool &pool, Id part) {
  const Node &node = pool[part];
  if (node.kind == Kind::Product) {
    std::vector<Id> all;
    for (Id factor : node.children) {
      std::optional<Id> one = existence(pool, factor);
      if (!one)
        return std::nullopt;
      all.push_back(*one);
    }
    return pool.conjunction(all);
  }
  if (node.kind != Kind::Sum || node.sort != intSort)
    return std::nullopt;
  std::vector<Id> children;
  std::vector<Variable> variables = pool.open(part, children);
  std::vector<Id> guard = pool.conjuncts(children[0]);
  for (size_t i = 1; i < children.size(); ++i) {
    Id positive = pool.positiveTest(children[i]);
    if (std::find(guard.begin(), guard.end(), positive) == guard.end())
      return std::nullopt;
  }
  Id some = pool.exists(variables, children[0]);
  if (pool.recorder)
    pool.recorder->add(SumFact{part, variables, pool.recorder->lastLemma, true});
  return some;
}

} // namespace

std::optional<SignedCount> signedCount(Pool &pool, const Pool::Parts &parts) {
  if (parts.parts.empty())
    return std::nullopt;
  bool negative = parts.parts[0].first.numerator < 0;
  std::vector<Id> some;
  for (const auto &[coefficient, part] : parts.parts) {
    if ((coefficient.numerator < 0) != negative)
      return std::nullopt;
    std::optional<Id> one = existence(pool, part);
    if (!one)
      return std::nullopt;
    some.push_back(*one);
  }
  return SignedCount{negative, pool.disjunction(some)};
}

bool vanishesUnless(Pool &pool, Id number, Id condition) {
  Pool::Parts parts = pool.parts(number);
  if (!parts.constant.isZero())
    return false;
  Id outside = pool.negation(condition);
  auto vanishes = [&](Id part) {
    if (pool[part].kind != Kind::Sum)
      return false;
    std::vector<Id> children;
    std::vector<Variable> variables = pool.open(part, children);
    Id some = pool.exists(variables, children[0]);
    if (pool.recorder)
      pool.recorder->add(SumFact{part, variables, pool.recorder->lastLemma, false});
    return pool.isFalse(pool.conjunction({outside, some}));
  };
  return std::all_of(parts.parts.begin(), parts.parts.end(), [&](const auto &entry) {
    const Node &node = pool[entry.second];
    if (node.kind == Kind::Product)
      return std::any_of(node.children.begin(), node.children.end(), vanishes);
    return vanishes(entry.second);
  });
}

} // namespace imbrex::algebra
