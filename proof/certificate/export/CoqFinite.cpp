#include "proof/certificate/export/CoqFinite.h"

#include <algorithm>

namespace imbrex::certificate {

std::string CoqFinite::statement(Id id, Kind kind) {
  std::string own = coq.call(id);
  return own + (kind == Kind::Holds   ? " = true"
                : kind == Kind::Fails ? " = false"
                                      : " <> " + coq.zero(terms[id].sort));
}

void CoqFinite::track(Scope &scope, const std::vector<Id> &all) {
  for (Id id : all) {
    scope.tracked.insert(id);
    if (terms[id].sort != terms.boolSort)
      continue;
    scope.lists[id] = "bools";
    scope.script +=
        "pose proof (bools_all " + coq.component(id) + ") as I_" + coq.component(id) + ".\n";
  }
}

void CoqFinite::add(Scope &scope, Id component, const std::string &list, const std::string &proof) {
  std::string name = fresh("L"), own = coq.component(component);
  prefix += "pose (" + name + " := " + list + ").\n";
  scope.lists[component] = name;
  scope.script += "assert (I_" + own + " : In " + own + " " + name + "). { " + proof + " }\n";
}

void CoqFinite::assume(Scope &scope, Id id, Kind kind, const std::string &proof) {
  if (scope.isAbsurd)
    return;
  Fact fact{id, kind, fresh("H")};
  scope.script += "assert (" + fact.name + " : " + statement(id, kind) + "). { " + proof + " }\n";
  decompose(scope, fact);
}

void CoqFinite::assumeTerm(Scope &scope, Id guard, Id value, const std::string &own) {
  if (guard == terms.boolean(true)) // what the hypothesis says is without the choice by then
    return assume(scope, value, Kind::NonZero, "exact " + own + ".");
  std::string g = coq.call(guard);
  assume(scope, guard, Kind::Holds,
         "destruct (cases " + g + ") as [Q|Q]; [exact Q|exfalso; apply " + own +
             "; try rewrite Q; reflexivity].");
  assume(scope, value, Kind::NonZero,
         "intro Q; apply " + own + "; destruct " + g +
             "; [first [exact Q | rewrite Q; reflexivity]|reflexivity].");
}

void CoqFinite::decompose(Scope &scope, const Fact &fact) {
  if (fact.kind == Kind::NonZero)
    decomposeNumber(scope, fact);
  else
    decomposeFormula(scope, fact);
}

/// A test of a fraction of integers is one of whole numbers, but the fraction is none.
std::string CoqFinite::wholeEnd(Id number) const {
  return terms[number].sort == terms.realSort ? "intro Q; mixed." : "lia.";
}

void CoqFinite::decomposeFormula(Scope &scope, const Fact &fact) {
  const Node node = terms[fact.id];
  bool holds = fact.kind == Kind::Holds;
  switch (node.op) {
  case Op::True:
    if (!holds) {
      scope.script += "exfalso; discriminate " + fact.name + ".\n";
      scope.isAbsurd = true;
    }
    return;
  case Op::Not:
    if (terms[node.kids[0]].op == Op::True && holds) {
      scope.script += "exfalso; discriminate " + fact.name + ".\n";
      scope.isAbsurd = true;
    } else {
      assume(scope, node.kids[0], holds ? Kind::Fails : Kind::Holds,
             std::string("exact (") + (holds ? "neg_t" : "neg_f") + " _ " + fact.name + ").");
    }
    return;
  case Op::And:
  case Op::Or:
    if ((node.op == Op::And) != holds) {
      scope.alternatives.push_back(fact);
      return;
    }
    for (size_t i = 0; i < node.kids.size(); ++i) {
      std::string text = fact.name;
      for (size_t k = 0; k < i; ++k)
        text = std::string(holds ? "(and_r" : "(or_fr") + " _ _ " + text + ")";
      if (i + 1 < node.kids.size())
        text = std::string(holds ? "(and_l" : "(or_fl") + " _ _ " + text + ")";
      assume(scope, node.kids[i], fact.kind, "exact " + text + ".");
    }
    return;
  case Op::Zero:
    if (holds)
      scope.equations.push_back(fact);
    else
      assume(scope, node.kids[0], Kind::NonZero,
             "pose proof " + fact.name + " as O; cbv beta delta [" + coq.nameOf(fact.id) +
                 "] in O; " +
                 (coq.isReal(node.kids[0]) ? "apply Reqb_neq in O; intro Q; apply O; lra."
                                           : "apply Z.eqb_neq in O; " + wholeEnd(node.kids[0])));
    return;
  case Op::Positive:
    if (holds)
      assume(scope, node.kids[0], Kind::NonZero,
             "pose proof " + fact.name + " as O; cbv beta delta [" + coq.nameOf(fact.id) +
                 "] in O; " +
                 (coq.isReal(node.kids[0]) ? "apply Rltb_lt in O; lra."
                                           : "apply Z.ltb_lt in O; " + wholeEnd(node.kids[0])));
    return;
  case Op::Equal:
    if (holds)
      scope.equations.push_back(fact);
    return;
  case Op::Apply:
    if (holds)
      ofTable(scope, fact);
    return;
  case Op::Exists:
    if (holds)
      open(scope, fact);
    return;
  default:
    return;
  }
}

void CoqFinite::decomposeNumber(Scope &scope, const Fact &fact) {
  const Node node = terms[fact.id];
  switch (node.op) {
  case Op::Number:
    if (node.value.sign() == 0) {
      scope.script += "exfalso; apply " + fact.name + "; reflexivity.\n";
      scope.isAbsurd = true;
    }
    return;
  case Op::Product:
    for (Id kid : std::set<Id>(node.kids.begin(), node.kids.end()))
      assume(scope, kid, Kind::NonZero,
             "intro Q; apply " + fact.name + "; cbv beta delta [" + coq.nameOf(fact.id) +
                 "]; rewrite ?Q; ring.");
    return;
  case Op::Linear:
    if (node.value.sign() == 0)
      scope.alternatives.push_back(fact);
    return;
  case Op::Choose:
    scope.alternatives.push_back(fact);
    return;
  case Op::Apply:
    ofTable(scope, fact);
    return;
  case Op::Sum:
    open(scope, fact);
    return;
  default:
    return;
  }
}

/// The values of what a binder binds, where it says that there are some.
void CoqFinite::open(Scope &scope, const Fact &fact) {
  if (!scope.opened.insert(fact.id).second)
    return;
  const auto [names, kids] = coq.opened(fact.id);
  const std::vector<Id> all = coq.componentsOf(names);
  std::string name = fresh("O"), some = terms[fact.id].op == Op::Exists         ? "Ex_value"
                                        : terms[fact.id].sort == terms.realSort ? "R_Sum_some"
                                                                                : "Sum_some";
  scope.script += "pose proof " + fact.name + " as " + name + "; cbv beta delta [" +
                  coq.nameOf(fact.id) + "] in " + name + "; apply " + some + " in " + name +
                  "; destruct " + name + " as [" + coq.pattern(all) + " " + name +
                  "]; cbv beta iota in " + name + ".\n";
  track(scope, all);
  if (terms[fact.id].op == Op::Exists)
    assume(scope, kids[0], Kind::Holds, "exact " + name + ".");
  else
    assumeTerm(scope, kids[0], kids[1], name);
}

void CoqFinite::ofTable(Scope &scope, const Fact &fact) {
  const Node node = terms[fact.id];
  const std::string &name = terms.text(node.symbol);
  if (node.kids.empty() || !(name.starts_with("\"in:") || name.starts_with("\"rows:")))
    return;
  std::string own = coq.rows(fact.id), pattern, values;
  for (size_t i = 0; i < node.kids.size(); ++i) {
    pattern += (i > 0 ? ", a" : "a") + std::to_string(i);
    values += " _";
  }
  if (node.kids.size() > 1)
    pattern = "'(" + pattern + ")";
  for (size_t i = 0; i < node.kids.size(); ++i) {
    Id kid = node.kids[i];
    if (terms[kid].op != Op::Variable || !scope.tracked.count(kid) || scope.lists.count(kid))
      continue;
    std::string part = "(fun " + pattern + " => a" + std::to_string(i) + ")";
    add(scope, kid, "map " + part + " " + own + "_rows",
        "exact (in_map " + part + " _ _ (" + own + "_all" + values + " " + fact.name + ")).");
  }
}

bool CoqFinite::isBounded(const Scope &scope, Id id) {
  const auto &free = coq.free(id);
  return std::all_of(free.begin(), free.end(), [&](Id component) {
    return scope.tracked.count(component) == 0 || scope.lists.count(component) != 0;
  });
}

/// The component is the value, as the script says.
bool CoqFinite::determine(Scope &scope, Id component, Id value, const std::string &why) {
  bool isTracked = terms[component].op == Op::Variable && scope.tracked.count(component) != 0;
  if (!isTracked || scope.lists.count(component) || !isBounded(scope, value))
    return false;
  std::string own = coq.component(component), text = coq.callAs(value, terms[component].sort), list;
  std::vector<Id> used;
  for (Id id : coq.free(value))
    if (scope.tracked.count(id))
      used.push_back(id);
  for (Id id : used)
    list = list.empty() ? scope.lists[id] : "(list_prod " + list + " " + scope.lists[id] + ")";
  std::string start = "assert (Q : " + own + " = " + text + ") by (" + why + "). rewrite Q. ";
  if (used.empty()) {
    add(scope, component, "cons " + text + " nil", start + "left; reflexivity.");
    return true;
  }
  std::string map = coq.lambda(used, text);
  add(scope, component, "map " + map + " " + list,
      start + "refine (in_map " + map + " " + list + " " + coq.tuple(used) +
          " _). repeat apply in_prod; assumption.");
  return true;
}

void CoqFinite::solve(Scope &scope, const Fact &fact) {
  const Node node = terms[fact.id];
  std::string start =
      "pose proof " + fact.name + " as O; cbv beta delta [" + coq.nameOf(fact.id) + "] in O; ";
  if (node.op == Op::Equal) {
    if (terms[node.kids[0]].sort == terms.boolSort)
      return;
    std::string why =
        start + "apply " + coq.equalName(terms[node.kids[0]].sort) + "_eq in O; congruence";
    for (size_t i = 0; i < 2; ++i)
      determine(scope, node.kids[i], node.kids[1 - i], why);
    return;
  }
  auto [constant, parts] = terms.parts(node.kids[0]);
  bool isReal = coq.isReal(node.kids[0]);
  std::string why = start + (isReal ? "apply Reqb_eq in O; lra" : "apply Z.eqb_eq in O; lia");
  for (const auto &[factor, part] : parts) {
    std::vector<std::pair<Rational, Id>> others;
    for (const auto &[f, other] : parts)
      if (other != part)
        others.emplace_back(-f / factor, other);
    Id value = terms.linear(-constant / factor, others);
    if (terms[value].sort == terms[part].sort || terms[part].sort == terms.realSort)
      determine(scope, part, value, why);
  }
}

std::vector<CoqFinite::Alternative> CoqFinite::cases(const Fact &fact) {
  const Node node = terms[fact.id];
  std::string unfold = coq.isInline(fact.id) ? "" : "cbv beta delta [" + coq.nameOf(fact.id) + "]";
  std::vector<Alternative> all;
  if (node.op == Op::Choose) {
    std::string name = fresh("A");
    for (bool yes : {true, false}) {
      Alternative &own = all.emplace_back();
      if (yes)
        own.start =
            "destruct (cases " + coq.call(node.kids[0]) + ") as [" + name + "|" + name + "].\n";
      Fact condition{node.kids[0], yes ? Kind::Holds : Kind::Fails, {}},
          value{node.kids[yes ? 1 : 2], Kind::NonZero, {}};
      own.facts = {{condition, "exact " + name + "."},
                   {value, "intro Q; apply " + fact.name + "; " + unfold + "; rewrite " + name +
                               "; first [exact Q | rewrite Q; reflexivity]."}};
    }
    return all;
  }
  std::string no;
  for (size_t i = 0; i < node.kids.size(); ++i) {
    Alternative &own = all.emplace_back();
    Id kid = node.kids[i];
    std::string name = fresh("A");
    bool isLast = i + 1 == node.kids.size();
    own.facts = {{{kid, fact.kind, {}}, "exact " + name + "."}};
    if (fact.kind == Kind::NonZero) {
      own.start = isLast ? "assert (" + name + " : " + statement(kid, fact.kind) +
                               "). { intro Q; apply " + fact.name + "; first [arith | " + no +
                               "rewrite ?Q; first [ring | arith]]. }\n"
                         : "destruct (" + std::string(1, coq.type(terms[kid].sort)[0]) + "_zero " +
                               coq.call(kid) + ") as [" + name + "|" + name + "].\n";
    } else {
      own.start = isLast
                      ? "assert (" + name + " : " + statement(kid, fact.kind) + "). { pose proof " +
                            fact.name + " as Q; " + unfold + " in Q; " + no +
                            "cbn [orb andb] in Q; exact Q. }\n"
                      : "destruct (cases " + coq.call(kid) + ") as [" + name + "|" + name + "].\n";
    }
    no += "rewrite ?" + name + (fact.kind == Kind::NonZero ? "; " : " in Q; ");
  }
  return all;
}

/// What all cases bound is bounded.
void CoqFinite::split(Scope &scope, const Fact &fact) {
  std::vector<Alternative> all = cases(fact);
  std::vector<Scope> children;
  std::set<Id> shared;
  bool isFirst = true;
  for (const Alternative &own : all) {
    Scope &child = children.emplace_back(scope);
    child.script.clear();
    child.equations.clear();
    child.alternatives.clear();
    for (const auto &[fact, proof] : own.facts)
      assume(child, fact.id, fact.kind, proof);
    run(child);
    if (child.isAbsurd)
      continue;
    std::set<Id> next;
    for (const auto &[id, list] : child.lists)
      if (scope.tracked.count(id) && !scope.lists.count(id) && (isFirst || shared.count(id)))
        next.insert(id);
    shared = next;
    isFirst = false;
  }
  if (isFirst) {
    scope.isAbsurd = true;
  } else if (shared.empty()) {
    return;
  }
  std::string goal, end, names;
  for (Id id : shared) {
    std::string list, own = coq.component(id), name = fresh("L");
    for (const Scope &child : children)
      if (!child.isAbsurd)
        list += (list.empty() ? "" : " ++ ") + child.lists.at(id);
    prefix += "pose (" + name + " := " + list + ").\n";
    scope.lists[id] = name;
    goal += (goal.empty() ? "" : " /\\ ") + ("In " + own + " " + name);
    end += (end.empty() ? "" : ", ") + name;
    names = names.empty() ? "I_" + own : names;
  }
  std::string hypothesis = fresh("J"), script, close;
  for (size_t i = 0; i < all.size(); ++i) {
    std::string body = children[i].script;
    if (!children[i].isAbsurd)
      body += "unfold " + end + "; repeat split; among.\n";
    bool isLast = i + 1 == all.size();
    bool isFirstCase = terms[fact.id].op == Op::Choose || fact.kind == Kind::Holds;
    if (isLast)
      script += all[i].start + body;
    else
      script += all[i].start + (isFirstCase ? "{\n" : "2: {\n") + body + "}\n";
  }
  if (scope.isAbsurd) {
    scope.script += script;
    return;
  }
  scope.script += "assert (" + hypothesis + " : " + goal + "). {\n" + script + "}\n";
  std::string pattern;
  for (auto it = shared.rbegin(); it != shared.rend(); ++it)
    pattern = pattern.empty() ? "I_" + coq.component(*it)
                              : "[I_" + coq.component(*it) + " " + pattern + "]";
  scope.script += "destruct " + hypothesis + " as " + pattern + ".\n";
}

void CoqFinite::run(Scope &scope) {
  for (size_t before = SIZE_MAX; before != scope.lists.size() && !scope.isAbsurd;) {
    before = scope.lists.size();
    for (size_t i = 0; i < scope.equations.size(); ++i)
      solve(scope, Fact(scope.equations[i]));
    for (size_t i = 0; i < scope.alternatives.size() && !scope.isAbsurd; ++i)
      split(scope, Fact(scope.alternatives[i]));
  }
}

std::string CoqFinite::finish(const std::vector<Id> &variables, Scope &scope,
                              const std::string &intro) {
  run(scope);
  std::string list = variables.empty() ? "(cons tt nil)" : "",
              end = "repeat apply in_prod; assumption.";
  for (Id id : variables) {
    std::string own = scope.isAbsurd ? "(@nil " + coq.type(terms[id].sort) + ")" : scope.lists[id];
    if (own.empty())
      throw Rejection{"a sum whose finiteness is not proven has no counterpart"};
    list = list.empty() ? own : "(list_prod " + list + " " + own + ")";
  }
  if (variables.empty())
    end = "left; reflexivity.";
  return prefix + "exists " + list + ".\n" + intro + scope.script + (scope.isAbsurd ? "" : end);
}

std::string CoqFinite::prove(const std::vector<Id> &variables, Id guard, Id value) {
  Scope scope;
  track(scope, variables);
  assumeTerm(scope, guard, value, "Top");
  return finish(variables, scope,
                "intros " + coq.pattern(variables) + " Top; cbv beta iota in Top.\n");
}

std::string CoqFinite::proveMembers(const std::vector<Id> &variables, Id guard) {
  Scope scope;
  track(scope, variables);
  assume(scope, guard, Kind::Holds, "exact Top.");
  return finish(variables, scope,
                "intros " + coq.pattern(variables) + " Top; cbv beta iota in Top.\n");
}

} // namespace imbrex::certificate
