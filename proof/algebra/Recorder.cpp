#include "proof/algebra/Recorder.h"

#include <algorithm>

namespace imbrex::algebra {

namespace {

Entry interned(std::map<std::vector<std::pair<Id, Id>>, Entry> &known,
               std::deque<std::vector<std::pair<Id, Id>>> &all,
               std::vector<std::pair<Id, Id>> equations) {
  if (equations.empty())
    return 0;
  std::sort(equations.begin(), equations.end());
  auto [it, isNew] = known.try_emplace(equations, Entry(all.size()));
  if (isNew)
    all.push_back(std::move(equations));
  return it->second;
}

} // namespace

Entry Recorder::hypothesis(Pool &pool, const Substitution &values) {
  std::vector<std::pair<Id, Id>> equations;
  for (const auto &[key, components] : values)
    for (uint32_t i = 0; i < components.size(); ++i)
      equations.emplace_back(pool.component({key, shapes.at(key)}, i), components[i]);
  return interned(known, hypotheses, std::move(equations));
}

Entry Recorder::hypothesis(const std::unordered_map<Id, Id> &map) {
  return interned(known, hypotheses, {map.begin(), map.end()});
}

void Recorder::add(Rewriting rewriting) {
  rewritings.try_emplace({rewriting.hypothesis, rewriting.from}, std::move(rewriting));
}

void Recorder::add(SumFact fact) {
  std::vector<SumFact> &all = sumFacts[fact.sum];
  for (const SumFact &other : all)
    if (other.positive == fact.positive)
      return;
  all.push_back(std::move(fact));
}

Entry Recorder::begin(BinderLemma lemma) {
  lemmas.push_back(std::move(lemma));
  return Entry(lemmas.size() - 1);
}

} // namespace imbrex::algebra
