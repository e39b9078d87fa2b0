#include "proof/certificate/write/Writer.h"

namespace imbrex::certificate {

using namespace algebra;

namespace {

std::string number(uint64_t value) { return std::to_string(value); }

} // namespace

/// What a question about these terms under a hypothesis may rest on: rewritings of their binders,
/// and facts of their sums. The checker looks for the same.
void Writer::need(Entry hypothesis, const std::vector<Id> &terms) {
  std::set<Id> seen;
  for (Id id : terms)
    needTerm(hypothesis, id, seen);
}

void Writer::needTerm(Entry hypothesis, Id id, std::set<Id> &seen) {
  if (!seen.insert(id).second)
    return;
  const Node &node = pool[id];
  if (node.binders.empty()) {
    for (Id child : node.children)
      needTerm(hypothesis, child, seen);
    return;
  }
  if (auto it = recorder.sumFacts.find(id); it != recorder.sumFacts.end())
    for (const SumFact &fact : it->second) {
      sumFact(fact);
      needTerm(hypothesis, recorder.lemmas[fact.lemma].result, seen);
    }
  if (auto it = recorder.rewritings.find({hypothesis, id}); it != recorder.rewritings.end()) {
    rewriting(it->second);
    needTerm(hypothesis, it->second.to, seen);
  }
}

std::string Writer::hypothesis(Entry entry) {
  if (doneHypotheses.insert(entry).second) {
    const auto &equations = recorder.hypotheses[entry];
    std::string text;
    for (const auto &[a, b] : equations)
      text += " " + term(a) + " " + term(b);
    line("hypothesis " + number(entry) + " " + number(equations.size()) + text);
  }
  return number(entry);
}

void Writer::rewriting(const Rewriting &entry) {
  if (!doneRewritings.insert({entry.hypothesis, entry.from}).second)
    return;
  std::vector<Id> parts = entry.opened;
  parts.insert(parts.end(), entry.children.begin(), entry.children.end());
  need(entry.hypothesis, parts);
  std::string under = hypothesis(entry.hypothesis), by = lemma(entry.lemma),
              from = term(entry.from), to = term(entry.to);
  line("rewriting " + under + " " + from + " " + variables(entry.names) + " " + by + " " + to);
}

void Writer::sumFact(const SumFact &fact) {
  if (!doneSumFacts.insert({fact.sum, fact.positive}).second)
    return;
  std::string by = lemma(fact.lemma), sum = term(fact.sum);
  line(std::string("sumfact ") + (fact.positive ? "positive " : "empty ") + sum + " " +
       variables(fact.names) + " " + by);
}

std::string Writer::lemma(Entry entry) {
  if (entry != 0 && doneLemmas.insert(entry).second) {
    const BinderLemma &lemma = recorder.lemmas[entry];
    if (lemma.kind != Kind::Sum)
      quantifierLemma(entry, lemma);
    else
      sumLemma(entry, lemma);
  }
  return number(entry);
}

void Writer::quantifierLemma(Entry entry, const BinderLemma &lemma) {
  std::string steps = chain(lemma.chain, {lemma.guard}, {}), end;
  std::vector<Id> last =
      lemma.chain.empty() ? std::vector<Id>{lemma.guard} : lemma.chain.back().guard;
  last.push_back(lemma.result);
  if (lemma.kind == Kind::Collect) {
    end = "kept";
  } else if (!lemma.branches.empty()) {
    end = "branches " + number(lemma.branches.size());
    for (size_t i = 0; i < lemma.branches.size(); ++i) {
      std::string by = this->lemma(lemma.lemmas[i]);
      end += " " + term(lemma.branches[i]) + " " + by;
      last.push_back(recorder.lemmas[lemma.lemmas[i]].result);
    }
  } else if (!lemma.lemmas.empty()) {
    std::string by = this->lemma(lemma.lemmas[0]);
    Id rest = lemma.lemmas[0] ? recorder.lemmas[lemma.lemmas[0]].result : lemma.result;
    end = "next " + by + " " + term(rest);
  } else {
    end = parts(lemma.parts);
  }
  need(noHypothesis, last);
  std::string guard = term(lemma.guard), result = term(lemma.result);
  line((lemma.kind == Kind::Exists ? "exists " : "members ") + number(entry) + " " +
       variables(lemma.variables) + " " + guard);
  out += steps;
  line(end);
  line("result " + result);
}

std::string Writer::parts(const std::vector<BinderPart> &parts) {
  std::string text = "parts " + number(parts.size());
  for (const BinderPart &part : parts) {
    need(noHypothesis, part.guard);
    std::string guard = list(part.guard), factors = list(part.factors);
    std::string closed = part.variables.empty() ? "0" : term(part.closed);
    text += " " + variables(part.variables) + " " + guard + " " + factors + " " + closed;
  }
  return text;
}

std::string Writer::chain(const Chain &chain, const std::vector<Id> &before,
                          const std::vector<Id> &payload) {
  std::string text;
  std::vector<Id> last = before;
  last.insert(last.end(), payload.begin(), payload.end());
  for (const ScopeStep &step : chain) {
    std::vector<Id> all = last;
    last = step.guard;
    last.insert(last.end(), step.payload.begin(), step.payload.end());
    all.insert(all.end(), last.begin(), last.end());
    if (step.term)
      all.push_back(step.term);
    all.insert(all.end(), step.opened.begin(), step.opened.end());
    need(step.hypothesis ? step.hypothesis : noHypothesis, all);
    text += this->step(step) + "\n";
  }
  return text;
}

std::string Writer::step(const ScopeStep &step) {
  std::string under = hypothesis(step.hypothesis), values = list(step.values),
              state = list(step.guard) + " " + list(step.payload);
  std::string one = variables({step.variable}), names = variables(step.names);
  switch (step.rule) {
  case ScopeStep::Rule::Eliminate:
    return "eliminate " + under + " " + one + " " + values + " " + state;
  case ScopeStep::Rule::Rewrite:
    return "rewrite " + under + " " + state;
  case ScopeStep::Rule::Entail: {
    std::string quantified = term(step.term);
    return "entail " + under + " " + quantified + " " + names + " " + values + " " + state;
  }
  case ScopeStep::Rule::Fold:
    return "fold " + under + " " + one + " " + values + " " + state;
  case ScopeStep::Rule::Open: {
    std::string quantified = term(step.term);
    return "open " + quantified + " " + names + " " + state;
  }
  }
  return {};
}

std::string Writer::equality(Entry entry) {
  if (entry == 0 || !doneEqualities.insert(entry).second)
    return number(entry);
  const EqualityProof &proof = recorder.equalities[entry];
  std::string by = refutation(proof.refutation), steps;
  if (!proof.refutation)
    steps = events(proof.events, proof.handle, {proof.difference});
  std::vector<Id> all = proof.context;
  all.insert(all.end(), {proof.first, proof.second, proof.difference});
  need(noHypothesis, all);
  std::string context = list(proof.context), sides = term(proof.first) + " " + term(proof.second),
              difference = term(proof.difference);
  line("equality " + number(entry) + " " + sides + " " + context + " " + difference + " " +
       number(proof.handle) + " " + by);
  out += steps;
  line("proven");
  return number(entry);
}

std::string Writer::refutation(Entry entry) {
  if (entry == 0 || !doneRefutations.insert(entry).second)
    return number(entry);
  const Refutation &proof = recorder.refutations[entry];
  std::string facts = number(proof.facts.size()), learned;
  std::vector<Id> all = proof.formulas;
  all.insert(all.end(), proof.facts.begin(), proof.facts.end());
  need(noHypothesis, all);
  for (Id formula : proof.facts)
    facts += " " + fact(formula);
  for (const Learned &pair : proof.learned)
    learned += " " + this->learned(pair);
  std::string formulas = list(proof.formulas);
  line("refutation " + number(entry) + " " + formulas + " " + facts + " " +
       number(proof.learned.size()) + learned);
  return number(entry);
}

std::string Writer::learned(const Learned &pair) {
  if (pair.names.empty()) {
    std::string by = equality(pair.equality), first = term(pair.first), second = term(pair.second);
    std::string name = number(++learnedCount);
    line("learned " + name + " " + first + " " + second + " " + by);
    return name;
  }
  std::string text;
  std::vector<Id> all;
  for (size_t i = 0; i < pair.pairs.size(); ++i) {
    std::string equal = equality(pair.equalities[i]), refuted = refutation(pair.refutations[i]);
    auto [x, y] = pair.pairs[i];
    all.insert(all.end(), {x, y});
    std::string sides = term(x) + " " + term(y);
    text += " " + sides + " " + equal + " " + refuted;
  }
  all.insert(all.end(), pair.opened.begin(), pair.opened.end());
  need(pair.hypothesis, all);
  std::string first = term(pair.first), second = term(pair.second),
              under = hypothesis(pair.hypothesis), name = number(++learnedCount);
  line("collected " + name + " " + first + " " + second + " " + variables(pair.names) + " " +
       variables(pair.others) + " " + under + " " + number(pair.pairs.size()) + text);
  return name;
}

/// The general form of a fact of the theory, as read.
std::string Writer::axiom(const Fact &fact) {
  Symbol symbol = pool[fact.term].symbol;
  auto [it, isNew] = axioms.try_emplace({fact.kind, symbol, fact.index});
  if (!isNew)
    return it->second;
  std::vector<Variable> all;
  Id a = generic(fact.term, all), b = fact.kind == Fact::Kind::Pair ? generic(fact.other, all) : 0;
  std::vector<Id> formulas;
  pool.plain = true;
  if (fact.kind == Fact::Kind::Pair)
    theory.factsOfPair(a, b, formulas);
  else
    theory.factsOf(a, formulas);
  pool.plain = false;
  std::string formula = term(formulas.at(fact.index));
  it->second = number(axioms.size());
  line("axiom " + it->second + " " + variables(all) + " " + formula);
  return it->second;
}

std::string Writer::fact(Id formula) {
  if (auto it = doneFacts.find(formula); it != doneFacts.end())
    return it->second;
  const Fact &fact = recorder.facts.at(formula);
  std::string name, by, text;
  need(noHypothesis, {formula, fact.term});
  switch (fact.kind) {
  case Fact::Kind::Witness:
    text = "witness " + variables(fact.names);
    break;
  case Fact::Kind::Instance: {
    need(fact.hypothesis, fact.opened);
    std::string under = hypothesis(fact.hypothesis);
    text = "instance " + variables(fact.names) + " " + under;
    break;
  }
  case Fact::Kind::SumEmpty:
  case Fact::Kind::SumCount:
  case Fact::Kind::SumSigned:
    by = lemma(fact.lemma);
    text = std::string(fact.kind == Fact::Kind::SumEmpty   ? "sum-empty "
                       : fact.kind == Fact::Kind::SumCount ? "sum-count "
                                                           : "sum-signed ") +
           variables(fact.names) + " " + by;
    if (fact.kind != Fact::Kind::SumEmpty)
      for (size_t i = 1; i < pool[fact.term].children.size(); ++i)
        if (Id factor = pool[fact.term].children[i];
            pool[factor].kind == Kind::Apply && counts.insert(pool[factor].symbol).second)
          line("count " + quoted(pool.name(pool[factor].symbol)));
    break;
  case Fact::Kind::Applied:
  case Fact::Kind::Pair: {
    by = axiom(fact);
    std::vector<Id> values = pool[fact.term].children;
    if (fact.kind == Fact::Kind::Pair)
      values.insert(values.end(), pool[fact.other].children.begin(),
                    pool[fact.other].children.end());
    std::string instance = list(values);
    text = "axiom " + by + " " + instance;
    break;
  }
  case Fact::Kind::Collection: {
    by = lemma(fact.lemma);
    need(fact.hypothesis, fact.opened);
    std::string under = hypothesis(fact.hypothesis);
    text = std::string(fact.index == 0 ? "member " : "extreme ") + variables(fact.names) + " " +
           under + " " + by;
    break;
  }
  }
  std::string about = term(fact.term), what = term(formula);
  name = number(doneFacts.size() + 1);
  doneFacts.emplace(formula, name);
  line("fact " + name + " " + what + " " + about + " " + text);
  return name;
}

void Writer::statement(std::pair<Id, Id> read, Compare compare,
                       const std::vector<Id> &applications) {
  std::vector<std::vector<Id>> facts;
  uint32_t count = 0;
  for (Id application : applications) {
    if (theory.isCount(pool[application].symbol))
      line("count " + quoted(pool.name(pool[application].symbol)));
    for (bool isPair : {false, true}) {
      std::vector<Variable> all;
      std::vector<Id> formulas;
      Id a = generic(application, all), b = isPair ? generic(application, all) : 0;
      isPair ? theory.factsOfPair(a, b, formulas) : theory.factsOf(a, formulas);
      for (Id formula : formulas) {
        std::string text = term(formula);
        line("axiom " + number(++count) + " " + variables(all) + " " + text);
      }
    }
  }
  std::string sides = term(read.first) + " " + term(read.second);
  line(std::string("claim ") + (compare == Compare::Bags ? "bags " : "sets ") + sides);
}

/// The same function of new variables.
Id Writer::generic(Id application, std::vector<Variable> &all) {
  std::vector<Id> arguments;
  for (Id argument : std::vector<Id>(pool[application].children)) {
    all.push_back(pool.fresh({pool[argument].sort}));
    arguments.push_back(pool.component(all.back(), 0));
  }
  return pool.apply(pool[application].symbol, arguments, pool[application].sort);
}

void Writer::claim(std::pair<Id, Id> read, std::pair<Id, Id> normal, Compare compare, Entry proof) {
  need(0, {read.first, read.second, normal.first, normal.second});
  std::string by = compare == Compare::Bags ? equality(proof) : refutation(proof);
  std::string sides = term(read.first) + " " + term(read.second) + " " + term(normal.first) + " " +
                      term(normal.second);
  line(std::string("claim ") + (compare == Compare::Bags ? "bags " : "sets ") + sides + " " + by);
}

} // namespace imbrex::certificate
