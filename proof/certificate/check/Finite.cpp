// Sums are over all values of their variables, so that only those mean something in which finitely
// many terms are not zero: those whose guard and value allow finitely many values for each
// variable, as long as tables are finite.
#include "proof/certificate/check/Checker.h"

#include <algorithm>

namespace imbrex::check {

namespace {

/// Which components of the tracked variables have finitely many values where a formula holds, or a
/// number is not zero.
class Bounds {
public:
  explicit Bounds(Terms &terms) : terms(terms) {}

  using Known = std::set<Id>; // components

  void track(const std::vector<Variable> &names, Known &known) {
    for (const Variable &v : names) {
      tracked[v.name] = terms.components(v);
      for (Id component : terms.components(v))
        if (terms[component].sort == terms.boolSort)
          known.insert(component);
    }
  }

  /// All of these hold: some are formulas, others numbers that are not zero.
  Known all(const std::vector<Id> &conditions, Known known) {
    for (size_t before = 0; before != known.size() + 1;) {
      before = known.size() + 1;
      for (Id condition : conditions)
        known = of(condition, std::move(known));
    }
    return known;
  }

private:
  Known of(Id id, Known known) {
    const Node node = terms[id];
    switch (node.op) {
    case Op::Number:
      return node.value.sign() == 0 ? everything() : known;
    case Op::And:
    case Op::Product:
      return all(node.kids, std::move(known));
    case Op::Or:
      return common(node.kids, known);
    case Op::Not:
      return negated(node.kids[0], std::move(known));
    case Op::Apply:
      // Of a finite table.
      if (terms.text(node.symbol).starts_with("\"in:") ||
          terms.text(node.symbol).starts_with("\"rows:"))
        for (Id argument : node.kids)
          determine(argument, known);
      return known;
    case Op::Zero:
      return equation(terms.parts(node.kids[0]).second, std::move(known));
    case Op::Positive:
      return of(node.kids[0], std::move(known));
    case Op::Equal:
      return equation({{1, node.kids[0]}, {1, node.kids[1]}}, std::move(known));
    case Op::Linear:
      return node.value.sign() == 0 ? common(node.kids, known) : known;
    case Op::Choose: {
      Known then = all({node.kids[0], node.kids[1]}, known);
      return shared(then, all({terms.negation(node.kids[0]), node.kids[2]}, known));
    }
    case Op::Exists:
    case Op::Sum: {
      auto [it, isNew] = opened.try_emplace(id);
      if (isNew) {
        std::vector<Variable> names = terms.fresh(id);
        it->second = {names, terms.open(id, names)};
      }
      track(it->second.first, known);
      return all(it->second.second, std::move(known));
    }
    default:
      return known;
    }
  }

  Known negated(Id id, Known known) {
    const Node node = terms[id];
    if (node.op == Op::True)
      return everything();
    if (node.op == Op::Zero)
      return of(node.kids[0], std::move(known));
    if (node.op != Op::And && node.op != Op::Or)
      return known;
    std::vector<Id> parts;
    for (Id kid : node.kids)
      parts.push_back(terms.negation(kid));
    return node.op == Op::Or ? all(parts, std::move(known)) : common(parts, known);
  }

  /// Of what never holds.
  Known everything() const {
    Known all;
    for (const auto &[name, components] : tracked)
      all.insert(components.begin(), components.end());
    return all;
  }

  /// One of these holds.
  Known common(const std::vector<Id> &parts, const Known &known) {
    Known result = of(parts[0], known);
    for (size_t i = 1; i < parts.size(); ++i)
      result = shared(result, of(parts[i], known));
    return result;
  }

  static Known shared(const Known &a, const Known &b) {
    Known both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    return both;
  }

  /// A sum of these is constant: one of them is determined by the others.
  Known equation(const std::vector<std::pair<Rational, Id>> &parts, Known known) {
    for (const auto &[factor, part] : parts)
      if (std::all_of(parts.begin(), parts.end(), [&](const auto &other) {
            return other.second == part || isBounded(other.second, known);
          }))
        determine(part, known);
    return known;
  }

  void determine(Id id, Known &known) {
    if (terms[id].op == Op::Variable)
      known.insert(id);
  }

  bool isBounded(Id id, const Known &known) {
    const Node &node = terms[id];
    if (node.op == Op::Variable)
      return known.count(id) != 0 || tracked.count(node.symbol) == 0;
    bool isClosed = std::all_of(node.free.begin(), node.free.end(), [&](Name name) {
      auto it = tracked.find(name);
      return it == tracked.end() ||
             std::all_of(it->second.begin(), it->second.end(),
                         [&](Id component) { return known.count(component) != 0; });
    });
    return isClosed ||
           (!node.isBinder() && std::all_of(node.kids.begin(), node.kids.end(),
                                            [&](Id kid) { return isBounded(kid, known); }));
  }

  Terms &terms;
  std::map<Name, std::vector<Id>> tracked;                                // with all components
  std::map<Id, std::pair<std::vector<Variable>, std::vector<Id>>> opened; // binders, once each
};

} // namespace

bool Checker::isFinite(const std::vector<Variable> &names, Id guard, Id value) {
  Bounds bounds(terms);
  Bounds::Known known;
  bounds.track(names, known);
  known = bounds.all({guard, value}, known);
  return std::all_of(names.begin(), names.end(), [&](const Variable &v) {
    std::vector<Id> own = terms.components(v);
    return std::all_of(own.begin(), own.end(), [&](Id id) { return known.count(id) != 0; });
  });
}

} // namespace imbrex::check
