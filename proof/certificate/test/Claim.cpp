#include "proof/certificate/test/Claim.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <sstream>

namespace imbrex::certificate::test {

namespace {

constexpr size_t MaxSteps = 100000, MaxDepth = 200;
struct TooLarge {};

std::vector<std::string> tokensOf(const std::string &line) {
  std::vector<std::string> all;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ')
      continue;
    size_t start = i;
    bool quoted = line[i] == '"';
    for (++i; i < line.size() && (quoted ? line[i] != '"' : line[i] != ' '); ++i)
      i += line[i] == '\\' ? 1 : 0;
    all.push_back(line.substr(start, i - start));
  }
  return all;
}

double rational(const std::string &text) {
  size_t slash = text.find('/');
  double over = std::atof(text.substr(0, slash).c_str());
  return slash == std::string::npos ? over : over / std::atof(text.substr(slash + 1).c_str());
}

uint64_t mixed(uint64_t a, uint64_t b) {
  a ^= b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2);
  a *= 0xff51afd7ed558ccdULL;
  return a ^ (a >> 33);
}

} // namespace

std::optional<Claim> Claim::of(const std::string &certificate) {
  Claim claim;
  std::stringstream lines(certificate);
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    Tokens t = tokensOf(line);
    if (t.size() > 2 && t[0] == "t")
      claim.terms[t[1]] = t;
    if (t.size() < 4 || t[0] != "claim")
      continue;
    claim.isSet = t[1] == "sets";
    claim.first = t.at(2);
    claim.second = t.at(3);
    found = true;
  }
  return found ? std::optional(claim) : std::nullopt;
}

/// Sparse predicates and multiplicities over 0, 1, 2; other functions have values there.
double Claim::function(const Tokens &t) {
  uint64_t h = mixed(seed, std::hash<std::string>()(t.at(4)));
  bool inside = true;
  for (size_t i = 6; i < t.size(); ++i) {
    double argument = value(t[i]);
    inside &= argument == 0 || argument == 1 || argument == 2;
    h = mixed(h, std::hash<double>()(argument));
  }
  if (t.at(4).rfind("\"in:", 0) == 0)
    return inside && h % 2 == 0;
  if (t.at(4).rfind("\"rows:", 0) == 0)
    return inside && h % 3 == 0 ? double(1 + h / 3 % 2) : 0;
  return t.at(3) == "bool" ? double(h % 2) : double(h % 3);
}

/// Over every value of the variables: the quantifier, the sum, or a digest of a collection.
double Claim::binder(const Tokens &t, size_t at, const std::string &kind) {
  std::vector<std::pair<std::string, bool>> components;
  size_t count = size_t(std::atoi(t.at(at++).c_str()));
  for (size_t i = 0; i < count; ++i) {
    std::string name = t.at(at++);
    size_t parts = size_t(std::atoi(t.at(at++).c_str()));
    for (size_t p = 0; p < parts; ++p)
      components.emplace_back(name + "." + std::to_string(p), t.at(at++) == "bool");
  }
  if (at >= t.size())
    throw std::out_of_range("damaged");
  Tokens kids(t.begin() + long(at) + 1, t.end());
  auto outer = variables;
  double total = 0;
  std::function<void(size_t)> run = [&](size_t c) {
    if (c < components.size()) {
      for (double v = components[c].second ? 0 : -2; v <= (components[c].second ? 1 : 4); ++v) {
        variables[components[c].first] = v;
        run(c + 1);
      }
      return;
    }
    double body = value(kids.at(0));
    if (kind == "collect")
      total = double(mixed(uint64_t(int64_t(total)), uint64_t(int64_t(body * 720))) % 100003);
    else if (body != 0) {
      for (size_t k = 1; k < kids.size(); ++k)
        body *= value(kids[k]);
      total = kind == "exists" ? 1 : total + body;
    }
  };
  run(0);
  variables = outer;
  if (kind != "collect")
    return total;
  uint64_t h = mixed(mixed(seed, std::hash<std::string>()(t.at(4))), uint64_t(total));
  for (size_t k = 1; k < kids.size(); ++k)
    h = mixed(h, std::hash<double>()(value(kids[k])));
  return t.at(3) == "bool" ? double(h % 2) : double(h % 3);
}

double Claim::value(const std::string &number) {
  // A damaged term may be a part of itself.
  if (++steps > MaxSteps || ++depth > MaxDepth)
    throw TooLarge{};
  double result = valueOf(number);
  --depth;
  return result;
}

double Claim::valueOf(const std::string &number) {
  const Tokens &t = terms.at(number);
  const std::string &op = t.at(2);
  auto all = [&](size_t from) {
    std::vector<double> values;
    for (size_t i = from + 1; i < t.size(); ++i)
      values.push_back(value(t[i]));
    return values;
  };
  if (op == "true" || op == "false")
    return op == "true";
  if (op == "number")
    return rational(t.at(4));
  if (op == "text")
    return double(std::hash<std::string>()(t.at(4)) % 2 + 1);
  if (op == "variable") {
    auto it = variables.find(t.at(4) + "." + t.at(5));
    if (it != variables.end())
      return it->second;
    uint64_t h = mixed(seed, std::hash<std::string>()(t.at(4) + t.at(5)));
    return t.at(3) == "bool" ? double(h % 2) : double(h % 3);
  }
  if (op == "apply")
    return function(t);
  if (op == "linear") {
    double total = rational(t.at(4));
    for (size_t i = 6; i + 1 < t.size(); i += 2)
      total += rational(t[i]) * value(t[i + 1]);
    return total;
  }
  if (op == "product") {
    double product = 1;
    for (double v : all(4))
      product *= v;
    return product;
  }
  if (op == "choose")
    return value(t.at(5)) != 0 ? value(t.at(6)) : value(t.at(7));
  if (op == "and" || op == "or") {
    for (size_t i = 4; i < t.size(); ++i)
      if ((value(t[i]) != 0) == (op == "or"))
        return op == "or";
    return op == "and";
  }
  if (op == "exists")
    return binder(t, 3, op);
  if (op == "sum" || op == "collect")
    return binder(t, op == "sum" ? 4 : 5, op);
  std::vector<double> values = all(3);
  return op == "not"        ? values.at(0) == 0
         : op == "zero"     ? std::abs(values.at(0)) < 1e-9
         : op == "positive" ? values.at(0) > 1e-9
         : op == "equal"    ? std::abs(values.at(0) - values.at(1)) < 1e-9
                            : values.at(0) < values.at(1);
}

std::optional<bool> Claim::holds(uint64_t which) {
  seed = which;
  steps = depth = 0;
  try {
    double a = value(first), b = value(second);
    return isSet ? (a > 0) == (b > 0) : std::abs(a - b) < 1e-6;
  } catch (const TooLarge &) {
    return std::nullopt;
  } catch (const std::out_of_range &) {
    return std::nullopt;
  }
}

} // namespace imbrex::certificate::test
