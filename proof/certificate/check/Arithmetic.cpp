// Linear arithmetic over the classes of congruence. Ordered values without arithmetic are treated
// as numbers whose order alone is known.
#include "proof/certificate/check/Ground.h"

#include <algorithm>

namespace imbrex::check {

constexpr size_t MaxRows = 400;
constexpr size_t MaxTests = 60;

/// The linear form over representatives of classes, with the reasons for these.
Theory::Row Theory::rowOf(Id number) {
  Row row;
  auto add = [&](const Rational &factor, Id id) {
    if (known.count(id)) {
      // A number in the class is the best representative.
      Id root = find(id);
      for (Id member : members[root])
        if (terms[member].op == Op::Number) {
          row.reason = joined(row.reason, explained(id, member));
          row.constant = row.constant + factor * terms[member].value;
          return;
        }
      if (root != id)
        row.reason = joined(row.reason, explained(id, root));
      id = root;
    }
    Rational &entry = row.terms[id];
    entry = entry + factor;
    if (entry.sign() == 0)
      row.terms.erase(id);
  };
  if (!terms.isNumeric(number)) {
    add(1, number);
    return row;
  }
  auto [constant, parts] = terms.parts(number);
  row.constant = constant;
  for (const auto &[factor, id] : parts)
    add(factor, id);
  return row;
}

void Theory::addScaled(Row &row, const Rational &factor, const Row &other) {
  row.constant = row.constant + factor * other.constant;
  for (const auto &[id, f] : other.terms) {
    Rational &entry = row.terms[id];
    entry = entry + factor * f;
    if (entry.sign() == 0)
      row.terms.erase(id);
  }
  row.reason = joined(row.reason, other.reason);
}

Theory::Row Theory::normal(Row row) {
  for (bool again = true; again;) {
    again = false;
    for (const auto &[id, factor] : row.terms) {
      auto it = solved.find(id);
      if (it == solved.end())
        continue;
      Rational f = factor;
      Row value = it->second;
      row.terms.erase(id);
      addScaled(row, f, value);
      again = true;
      break;
    }
  }
  return row;
}

bool Theory::isWhole(const Row &row) const {
  return std::all_of(row.terms.begin(), row.terms.end(),
                     [&](const auto &t) { return terms[t.first].sort == terms.intSort; });
}

/// Solves an equation row = 0 for a variable. False: a contradiction, whose reason is given.
bool Theory::addEquation(Row row, Reason &conflict) {
  row = normal(std::move(row));
  if (row.terms.empty()) {
    conflict = row.reason;
    return row.constant.sign() == 0;
  }
  Row whole = row;
  bool isWhole = this->isWhole(row);
  if (isWhole && !tighten(whole)) {
    conflict = row.reason;
    return false;
  }
  // An integer that the others determine to be one.
  Id variable = row.terms.rbegin()->first;
  for (const auto &[id, factor] : whole.terms)
    if (isWhole && (factor == Rational(1) || factor == Rational(-1)))
      variable = id;
  Rational factor = row.terms.at(variable);
  row.terms.erase(variable);
  Row value;
  addScaled(value, Rational(-1) / factor, row);
  for (auto &[id, other] : solved)
    if (auto it = other.terms.find(variable); it != other.terms.end()) {
      Rational f = it->second;
      other.terms.erase(it);
      addScaled(other, f, value);
    }
  solved[variable] = value;
  return true;
}

/// Whole factors without common divisor; the constant of an inequality is rounded down. False: an
/// equation between integers that no integers fulfil (only asked of equations).
bool Theory::tighten(Row &row) const {
  __int128 under = 1, common = 0;
  for (const auto &[id, factor] : row.terms)
    under = (Rational(under / gcd(under, factor.under)) * Rational(factor.under)).over;
  for (const auto &[id, factor] : row.terms)
    common = gcd(common, (factor * Rational(under)).over);
  if (common == 0)
    return true;
  Rational scale(under, common);
  for (auto &[id, factor] : row.terms)
    factor = factor * scale;
  row.constant = row.constant * scale;
  return row.constant.isInteger();
}

Reason Theory::collectEquations() {
  solved.clear();
  Reason conflict;
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] <= 0 || atoms[v] == 0 || terms[atoms[v]].op != Op::Zero)
      continue;
    Row row = rowOf(terms[atoms[v]].kids[0]);
    row.reason = joined(row.reason, {int(v) * 2});
    if (!addEquation(row, conflict))
      return conflict;
  }
  // Linear forms that are arguments are equal to what they stand for; so are members of classes.
  for (Id id : nodes) {
    if (!terms.isNumeric(id))
      continue;
    Row row = rowOf(id), own;
    own.terms[find(id)] = 1;
    if (terms[id].op != Op::Linear && terms[id].op != Op::Number)
      continue;
    if (find(id) != id)
      own.reason = explained(id, find(id));
    addScaled(row, -1, own);
    if (!addEquation(row, conflict))
      return conflict;
  }
  addProducts();
  for (Row &row : equations)
    if (!addEquation(row, conflict))
      return conflict;
  equations.clear();
  return {};
}

/// Products with all factors but one known, and products of equal rests.
void Theory::addProducts() {
  equations.clear();
  std::map<std::vector<Id>, std::pair<Row, Id>> rests;
  for (Id id : nodes) {
    const Node &node = terms[id];
    if (node.op != Op::Product)
      continue;
    Rational factor = 1;
    std::vector<Id> rest;
    Reason reason;
    for (Id kid : node.kids) {
      Row row = normal(rowOf(kid));
      bool single = row.terms.size() == 1 && row.constant.sign() == 0;
      reason = joined(reason, row.reason);
      if (row.terms.empty()) {
        factor = factor * row.constant;
      } else if (single) {
        factor = factor * row.terms.begin()->second;
        rest.push_back(row.terms.begin()->first);
      } else {
        rest.push_back(find(kid));
      }
    }
    std::sort(rest.begin(), rest.end());
    Row equation = rowOf(id);
    if (rest.size() < 2 || factor.sign() == 0) {
      Row value;
      if (rest.empty() || factor.sign() == 0)
        value.constant = rest.empty() ? factor : Rational(0);
      else
        value.terms[rest[0]] = factor;
      value.reason = reason;
      addScaled(equation, -1, value);
      equations.push_back(equation);
      continue;
    }
    equation.reason = joined(equation.reason, reason);
    Row unit;
    addScaled(unit, Rational(1) / factor, equation); // the product of the rest
    auto [it, isNew] = rests.try_emplace(rest, unit, id);
    if (isNew)
      continue;
    addScaled(unit, -1, it->second.first);
    equations.push_back(unit);
  }
}

/// Numbers with one normal form are equal terms.
bool Theory::propagateEqualities() {
  std::map<std::pair<std::string, std::vector<std::pair<Id, std::string>>>, Id> forms;
  for (Id id : std::vector<Id>(nodes)) {
    if (!terms.isNumeric(id))
      continue;
    Row row = normal(rowOf(id));
    std::pair<std::string, std::vector<std::pair<Id, std::string>>> form{row.constant.str(), {}};
    for (const auto &[part, factor] : row.terms)
      form.second.emplace_back(part, factor.str());
    auto [it, isNew] = forms.try_emplace(form, id);
    if (isNew || find(it->second) == find(id))
      continue;
    Row other = normal(rowOf(it->second));
    merge(id, it->second, {0, joined(row.reason, other.reason), {}});
  }
  return merged;
}

Reason Theory::inequalities() {
  std::vector<Row> rows;
  std::vector<Row> apart; // not zero
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] < 0 || atoms[v] == 0)
      continue;
    const Node &node = terms[atoms[v]];
    int literal = int(v) * 2 + (values[v] ? 0 : 1);
    Row row;
    if (node.op == Op::Positive || node.op == Op::Zero) {
      row = rowOf(node.kids[0]);
    } else if (node.op == Op::Less) {
      row = rowOf(node.kids[1]);
      addScaled(row, -1, rowOf(node.kids[0]));
    } else {
      continue;
    }
    row = normal(row);
    row.reason = joined(row.reason, {literal});
    if (node.op == Op::Zero) {
      if (values[v] == 0)
        apart.push_back(row);
      continue;
    }
    if (values[v] == 0) {
      Row negative;
      addScaled(negative, -1, row);
      row = negative;
    }
    row.strict = values[v] == 1;
    rows.push_back(row);
  }
  for (const Row &row : apart)
    if (row.terms.empty() && row.constant.sign() == 0)
      return row.reason;
  return rows.empty() ? Reason{} : eliminate(std::move(rows));
}

/// Fourier and Motzkin. Rows are > 0 where strict, else >= 0.
Reason Theory::eliminate(std::vector<Row> rows) {
  auto shrink = [&](Row &row) {
    if (row.terms.empty())
      return;
    bool whole = isWhole(row);
    bool fits = tighten(row);
    if (!whole)
      return;
    if (row.strict)
      row.constant = fits ? row.constant - 1 : row.constant.floor();
    else if (!fits)
      row.constant = row.constant.floor();
    row.strict = false;
  };
  auto isFalse = [](const Row &row) {
    return row.terms.empty() && (row.strict ? row.constant.sign() <= 0 : row.constant.sign() < 0);
  };
  for (size_t round = 0; round < MaxTests; ++round) {
    for (Row &row : rows) {
      shrink(row);
      if (isFalse(row))
        return row.reason;
    }
    std::erase_if(rows, [](const Row &row) { return row.terms.empty(); });
    if (rows.empty() || rows.size() > MaxRows)
      return {};
    // The variable that makes fewest new rows.
    std::map<Id, std::pair<size_t, size_t>> signs;
    for (const Row &row : rows)
      for (const auto &[id, factor] : row.terms)
        ++(factor.sign() > 0 ? signs[id].first : signs[id].second);
    auto cost = [](const auto &entry) {
      return long(entry.second.first * entry.second.second) - long(entry.second.first) -
             long(entry.second.second);
    };
    Id variable = std::min_element(signs.begin(), signs.end(), [&](const auto &a, const auto &b) {
                    return cost(a) < cost(b);
                  })->first;
    std::vector<Row> next, above, below;
    for (Row &row : rows) {
      auto it = row.terms.find(variable);
      if (it == row.terms.end())
        next.push_back(row);
      else
        (it->second.sign() > 0 ? above : below).push_back(row);
    }
    for (const Row &a : above)
      for (const Row &b : below) {
        Row row;
        addScaled(row, Rational(1) / a.terms.at(variable), a);
        addScaled(row, Rational(-1) / b.terms.at(variable), b);
        row.strict = a.strict || b.strict;
        next.push_back(row);
      }
    rows = std::move(next);
  }
  return {};
}

} // namespace imbrex::check
