#include "proof/sql/decide/ModelSearch.h"

#include "proof/sql/decide/ModelReader.h"
#include "proof/sql/prove/CatalogTheory.h"

#include <algorithm>

namespace imbrex::sql {

namespace {

using algebra::Kind;
using algebra::Node;
using algebra::Substitution;
using Clock = std::chrono::steady_clock;

constexpr size_t MostProposals = 16;
constexpr size_t MostGuards = 24; // of one query

/// The condition on some rows, and the tables that they are of.
struct Guard {
  Id formula;
  std::vector<Id> atoms; // "this row is in the table", sorted by table
};

class Proposer {
public:
  Proposer(const Catalog &catalog, const Semantics &semantics, Clock::time_point deadline)
      : translator(pool, catalog, semantics), theory(pool, catalog, translator),
        solver(pool, theory, deadline), reader(catalog, pool, translator, solver) {
    pool.deadline = deadline;
  }

  void run(const Query &first, const Query &second) {
    SymbolicBag a = translator.translate(first), b = translator.translate(second);
    order = reader.literalOrder();
    rowsOfOneOnly(a, b);
    rowsOfOneOnly(b, a);
    std::vector<Guard> left = guardsOf(a), right = guardsOf(b);
    for (const Guard &x : left)
      for (const Guard &y : right)
        conditionsOfOneOnly(x, y);
    for (const std::vector<Guard> *guards : {&left, &right})
      for (const Guard &guard : *guards)
        ask({guard.formula});
  }

  std::vector<Database> found;

private:
  void ask(std::vector<Id> formulas);
  void rowsOfOneOnly(const SymbolicBag &one, const SymbolicBag &other);
  void conditionsOfOneOnly(const Guard &x, const Guard &y);
  std::vector<Guard> guardsOf(const SymbolicBag &bag);
  void collect(Id id, std::set<Id> &seen, std::vector<Guard> &out);
  void add(Id formula, std::vector<Guard> &out);

  Pool pool;
  Translator translator;
  CatalogTheory theory;
  algebra::SmtGuardSolver solver;
  ModelReader reader;
  std::vector<Id> order; // of texts
};

void Proposer::ask(std::vector<Id> formulas) {
  if (found.size() >= MostProposals)
    return;
  formulas.insert(formulas.end(), order.begin(), order.end());
  if (solver.refute(formulas) || !solver.hasModel())
    return;
  found.push_back(reader.read());
}

void Proposer::rowsOfOneOnly(const SymbolicBag &one, const SymbolicBag &other) {
  for (const BagTerm &term : one)
    ask({term.guard, pool.negation(pool.positiveTest(translator.multiplicity(other, term.row)))});
}

void Proposer::add(Id formula, std::vector<Guard> &out) {
  if (pool.isTrue(formula) || pool.isFalse(formula) || out.size() >= MostGuards)
    return;
  Guard guard{formula, {}};
  for (Id conjunct : pool.conjuncts(formula)) {
    if (pool[conjunct].kind == Kind::Positive)
      conjunct = pool[conjunct].children[0];
    const Node &node = pool[conjunct];
    if (node.kind != Kind::Apply)
      continue;
    const std::string &name = pool.name(node.symbol);
    if (name.starts_with("in:") || name.starts_with("rows:"))
      guard.atoms.push_back(conjunct);
  }
  std::sort(guard.atoms.begin(), guard.atoms.end(), [&](Id a, Id b) {
    return std::pair(pool[a].symbol, a) < std::pair(pool[b].symbol, b);
  });
  out.push_back(std::move(guard));
}

/// The guards of all sums, quantifiers and collections within.
void Proposer::collect(Id id, std::set<Id> &seen, std::vector<Guard> &out) {
  if (!seen.insert(id).second || pool[id].level == 0 || out.size() >= MostGuards)
    return;
  std::vector<Id> children = pool[id].children;
  if (!pool[id].binders.empty()) {
    pool.open(id, children);
    if (pool[children[0]].sort == algebra::boolSort)
      add(children[0], out);
  }
  for (Id child : children)
    collect(child, seen, out);
}

std::vector<Guard> Proposer::guardsOf(const SymbolicBag &bag) {
  std::vector<Guard> guards;
  std::set<Id> seen;
  for (const BagTerm &term : bag) {
    add(term.guard, guards);
    collect(term.guard, seen, guards);
    collect(term.factor, seen, guards);
    for (const SymbolicCell &cell : term.row) {
      collect(cell.null, seen, guards);
      collect(cell.value, seen, guards);
    }
  }
  return guards;
}

/// Rows of the same tables that fulfil one condition and not the other: what a sum over the one
/// has that a sum over the other has not.
void Proposer::conditionsOfOneOnly(const Guard &x, const Guard &y) {
  if (x.atoms.empty() || x.atoms.size() != y.atoms.size() || found.size() >= MostProposals)
    return;
  Substitution map;
  for (size_t i = 0; i < x.atoms.size(); ++i) {
    const Node &to = pool[x.atoms[i]], &from = pool[y.atoms[i]];
    if (to.symbol != from.symbol)
      return;
    for (size_t k = 0; k < from.children.size(); ++k) {
      const Node &argument = pool[from.children[k]];
      if (argument.kind == Kind::Component && argument.index == 0)
        map[argument.symbol] = {to.children[k]};
    }
  }
  Id moved = pool.substitute(y.formula, map);
  if (moved == x.formula)
    return;
  ask({x.formula, pool.negation(moved)});
  ask({moved, pool.negation(x.formula)});
}

} // namespace

std::vector<Database> proposeDatabases(const Query &first, const Query &second,
                                       const Catalog &catalog, const Semantics &semantics,
                                       double seconds) {
  auto budget = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  Proposer proposer(catalog, semantics, Clock::now() + budget);
  try {
    proposer.run(first, second);
  } catch (const NotCovered &) {
  } catch (const algebra::Exhausted &) {
  }
  return std::move(proposer.found);
}

} // namespace imbrex::sql
