// Linear arithmetic over the classes of congruence. Ordered values without arithmetic are treated
// as numbers whose order alone is known.
#include "proof/certificate/elaborate/Ground.h"

#include <algorithm>

namespace imbrex::certificate {

constexpr size_t MaxRows = 400;
constexpr size_t MaxTests = 60;

/// The linear form over representatives of classes, with the reasons for these.
Theory::Row Theory::rowOf(Id number) {
  Row row;
  auto mix = [&](const Mixture &path, const Rational &factor) {
    for (const auto &[item, f] : path)
      row.mixture[item] = row.mixture[item] + factor * f;
  };
  auto add = [&](const Rational &factor, Id id) {
    if (known.count(id)) {
      // A number in the class is the best representative.
      Id root = find(id);
      for (Id member : members[root])
        if (terms[member].op == Op::Number) {
          mix(path(id, member), factor);
          row.constant = row.constant + factor * terms[member].value;
          return;
        }
      if (root != id)
        mix(path(id, root), factor);
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
  for (const auto &[item, f] : other.mixture)
    if (Rational &entry = row.mixture[item] = row.mixture[item] + factor * f; entry.sign() == 0)
      row.mixture.erase(item);
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

/// The row's number. Of whole rows only: these have no values without arithmetic.
Id Theory::termOf(const Row &row) {
  std::vector<std::pair<Rational, Id>> parts;
  for (const auto &[id, factor] : row.terms)
    parts.emplace_back(factor, id);
  return terms.linear(row.constant, parts);
}

/// Solves an equation row = 0 for a variable, unless it is a contradiction.
Theory::Clash Theory::addEquation(Row row) {
  row = normal(std::move(row));
  if (row.terms.empty())
    return row.constant.sign() == 0 ? Clash() : Clash(row.mixture);
  Row whole = row;
  bool isWhole = this->isWhole(row);
  if (isWhole && !tighten(whole))
    return Mixture{{add({"=", terms.number(0), termOf(row), -1, {}, row.mixture}), 1}};
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
  return {};
}

/// Whole factors without common divisor; the constant of an inequality is rounded down. False: an
/// equation between integers that no integers fulfil (only asked of equations).
bool Theory::tighten(Row &row) const {
  __int128 under = 1, common = 0;
  for (const auto &[id, factor] : row.terms)
    under = (Rational(under / check::gcd(under, factor.under)) * Rational(factor.under)).over;
  for (const auto &[id, factor] : row.terms)
    common = check::gcd(common, (factor * Rational(under)).over);
  if (common == 0)
    return true;
  Rational scale(under, common);
  for (auto &[id, factor] : row.terms)
    factor = factor * scale;
  row.constant = row.constant * scale;
  for (auto &[item, factor] : row.mixture)
    factor = factor * scale;
  return row.constant.isInteger();
}

Theory::Clash Theory::collectEquations() {
  solved.clear();
  Id none = terms.number(0);
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] <= 0 || atoms[v] == 0 || terms[atoms[v]].op != Op::Zero)
      continue;
    Id own = terms[atoms[v]].kids[0];
    Row row = rowOf(own);
    row.mixture[literal("=", none, own, int(v) * 2)] = 1;
    if (Clash clash = addEquation(row))
      return clash;
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
      own.mixture = path(id, find(id));
    addScaled(row, -1, own);
    if (Clash clash = addEquation(row))
      return clash;
  }
  addProducts();
  for (Row &row : equations)
    if (Clash clash = addEquation(row))
      return clash;
  equations.clear();
  return {};
}

/// Products whose factors are known to be other numbers: factors of one class become one term.
void Theory::addProducts() {
  equations.clear();
  for (Id id : std::vector<Id>(nodes)) {
    const Node &node = terms[id];
    if (node.op != Op::Product)
      continue;
    std::vector<std::pair<Id, Id>> parts;
    std::vector<Id> next;
    for (Id kid : node.kids) {
      Row row = normal(rowOf(kid));
      bool single = row.terms.size() == 1 && row.constant.sign() == 0;
      bool isKnown = row.terms.empty() || single;
      Id other = isKnown ? termOf(row) : find(kid);
      if (isKnown && other != kid)
        pairs.try_emplace({kid, other}, add({"=", kid, other, -1, {}, row.mixture}));
      parts.emplace_back(kid, other);
      next.push_back(other);
    }
    Id result = terms.replaced(id, next);
    if (result == id)
      continue;
    int item = add({"=", id, result, -1, parts, {}});
    Row equation = rowOf(result);
    addScaled(equation, -1, rowOf(id));
    equation.mixture[item] = equation.mixture[item] + 1;
    equations.push_back(equation);
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
    addScaled(row, -1, normal(rowOf(it->second)));
    merge(id, it->second, add({"=", id, it->second, -1, {}, row.mixture}));
  }
  return merged;
}

Theory::Clash Theory::inequalities() {
  std::vector<Row> rows;
  for (size_t v = 0; v < atoms.size(); ++v) {
    if (values[v] < 0 || atoms[v] == 0)
      continue;
    const Node &node = terms[atoms[v]];
    if (node.op != Op::Positive && node.op != Op::Zero && node.op != Op::Less)
      continue;
    int own = int(v) * 2 + (values[v] ? 0 : 1);
    Id a = node.op == Op::Less ? node.kids[0] : terms.number(0), b = node.kids.back();
    if (node.op == Op::Zero && values[v] != 0)
      continue;
    if (node.op != Op::Zero && values[v] == 0)
      std::swap(a, b);
    Row row = rowOf(b);
    addScaled(row, -1, rowOf(a));
    row = normal(row);
    const char *kind = node.op == Op::Zero ? "!=" : values[v] ? "<" : "<=";
    row.mixture[literal(kind, a, b, own)] = 1;
    row.strict = values[v] == 1;
    if (node.op != Op::Zero)
      rows.push_back(row);
    else if (row.terms.empty() && row.constant.sign() == 0)
      return row.mixture;
  }
  return rows.empty() ? Clash() : eliminate(std::move(rows));
}

/// Between integers: whole factors, and the constant rounded down. Where a row is a mixture, it
/// becomes a relation of its own first, since the checker rounds relations.
void Theory::shrink(Row &row) {
  if (row.terms.empty())
    return;
  Row before = row;
  bool whole = isWhole(row), fits = tighten(row);
  if (!whole)
    return;
  Rational constant = row.strict && fits ? row.constant - 1 : row.constant.floor();
  if (row.strict || !(constant == row.constant)) {
    Id none = terms.number(0), own = termOf(row);
    bool strict = row.strict;
    bool isOne = row.mixture.size() == 1 && items[size_t(row.mixture.begin()->first)].literal >= 0;
    if (!isOne)
      row.mixture = {{add({strict ? "<" : "<=", none, own, -1, {}, row.mixture}), 1}};
  }
  row.constant = constant;
  row.strict = false;
}

/// Fourier and Motzkin. Rows are > 0 where strict, else >= 0.
Theory::Clash Theory::eliminate(std::vector<Row> rows) {
  auto isFalse = [](const Row &row) {
    return row.terms.empty() && (row.strict ? row.constant.sign() <= 0 : row.constant.sign() < 0);
  };
  for (size_t round = 0; round < MaxTests; ++round) {
    for (Row &row : rows) {
      shrink(row);
      if (isFalse(row))
        return row.mixture;
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

} // namespace imbrex::certificate
