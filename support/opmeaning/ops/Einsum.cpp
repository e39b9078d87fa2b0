// Einstein summation: "bij,bjk->bik" is y[b,i,k] = sum(j) x0[b,i,j] * x1[b,j,k].
#include "support/opmeaning/ops/Common.h"
#include "support/opmeaning/ops/Families.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace imbrex::opmeaning {
namespace {

/// A letter, or ellipsis + k for the k-th axis from the end of an ellipsis.
using Label = int;
constexpr Label ellipsis = 256;
constexpr std::string_view dots = "...";

/// The labels of one term whose ellipsis covers `covered` axes; nothing, and b fails, for other
/// characters.
std::optional<std::vector<Label>> labelsOf(Builder &b, std::string_view term, size_t covered) {
  std::vector<Label> labels;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term.substr(i, 3) == dots) {
      for (size_t k = covered; k-- > 0;)
        labels.push_back(ellipsis + static_cast<Label>(k));
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(term[i]))) {
      labels.push_back(static_cast<unsigned char>(term[i]));
    } else {
      b.fail(std::string("the equation holds '") + term[i] + "'");
      return std::nullopt;
    }
  }
  return labels;
}

struct Equation {
  std::vector<std::string> terms;
  std::optional<std::string> result;
};

std::optional<Equation> parse(Builder &b, std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  Equation e;
  const size_t arrow = text.find("->");
  if (arrow != std::string::npos)
    e.result = text.substr(arrow + 2);
  const std::string left = text.substr(0, arrow);
  for (size_t at = 0; at <= left.size();) {
    const size_t end = std::min(left.find(',', at), left.size());
    e.terms.push_back(left.substr(at, end - at));
    at = end + 1;
  }
  for (const auto &t : e.terms) {
    const size_t first = t.find(dots);
    if (!check(b, first == std::string::npos || t.find(dots, first + 3) == std::string::npos,
               "a term of the equation has two ellipses"))
      return std::nullopt;
  }
  if (!check(b, e.terms.size() == b.operandCount(),
             "the equation has " + std::to_string(e.terms.size()) + " terms for " +
                 std::to_string(b.operandCount()) + " operands"))
    return std::nullopt;
  return e;
}

/// The operands' labels, the size of each, and the labels of the result.
struct Sum {
  std::vector<Tensor> operands;
  std::vector<std::vector<Label>> labels;
  std::map<Label, Dim> sizes;
  std::vector<Label> result, summed;
  size_t covered = 0; // the most axes that an ellipsis covers
};

bool addOperand(Builder &b, Sum &s, const Tensor &x, const std::string &term) {
  const bool open = term.find(dots) != std::string::npos;
  const size_t letters = term.size() - (open ? 3 : 0);
  if (!check(b, open ? x.rank() >= letters : x.rank() == letters,
             "the term \"" + term + "\" does not fit " + describe(x)) ||
      !checkNumeric(b, x) || (!s.operands.empty() && !checkSameType(b, s.operands[0], x)))
    return false;
  const size_t covered = open ? x.rank() - letters : 0;
  auto labels = labelsOf(b, term, covered);
  if (!labels)
    return false;
  for (size_t k = 0; k < x.rank(); ++k) {
    auto [it, fresh] = s.sizes.emplace((*labels)[k], x.dims[k]);
    if (!fresh)
      it->second = b.broadcast(it->second, x.dims[k], "axes of one label");
  }
  s.covered = std::max(s.covered, covered);
  s.operands.push_back(x);
  s.labels.push_back(*labels);
  return true;
}

/// Without an arrow: the ellipsis, then the labels that occur once, in alphabetical order.
std::string impliedResult(const Equation &e) {
  std::map<char, int> uses;
  std::string result;
  for (const auto &t : e.terms)
    for (char c : t)
      ++uses[c];
  if (uses.count('.'))
    result = dots;
  for (const auto &[c, n] : uses)
    if (n == 1 && c != '.')
      result += c;
  return result;
}

bool placeLabels(Builder &b, Sum &s, const std::string &result) {
  auto labels = labelsOf(b, result, s.covered);
  if (!labels)
    return false;
  s.result = *labels;
  for (Label l : s.result)
    if (!check(b, s.sizes.count(l) && std::count(s.result.begin(), s.result.end(), l) == 1,
               "a label of the result is in no term, or twice in the result"))
      return false;
  for (const auto &[l, size] : s.sizes)
    if (std::find(s.result.begin(), s.result.end(), l) == s.result.end())
      s.summed.push_back(l);
  return true;
}

Result<Program> einsum(Builder &b, const Attrs &a) {
  auto equation = parse(b, a.s("equation"));
  if (!equation)
    return b.finish({});
  Sum s;
  for (size_t n = 0; n < b.operandCount(); ++n)
    if (!addOperand(b, s, *b.in(n), equation->terms[n]))
      return b.finish({});
  if (!placeLabels(b, s, equation->result ? *equation->result : impliedResult(*equation)))
    return b.finish({});
  auto sizesOf = [&](const std::vector<Label> &labels) {
    std::vector<Dim> dims;
    for (Label l : labels)
      dims.push_back(s.sizes.at(l));
    return dims;
  };
  const DType type = s.operands[0].type, acc = accumulatorFor(type);
  auto product = [&](Axes i, Axes k) {
    std::map<Label, Ix> at;
    for (size_t n = 0; n < i.size(); ++n)
      at.emplace(s.result[n], i[n]);
    for (size_t n = 0; n < k.size(); ++n)
      at.emplace(s.summed[n], k[n]);
    std::optional<Val> v;
    for (size_t n = 0; n < s.operands.size(); ++n) {
      std::vector<Ix> place;
      for (size_t axis = 0; axis < s.labels[n].size(); ++axis)
        place.push_back(b.broadcastIndex(at.at(s.labels[n][axis]), s.operands[n].dims[axis]));
      const Val factor = b.cast(s.operands[n](place), acc);
      v = v ? *v * factor : factor;
    }
    return *v;
  };
  auto y = defComputed(b, "y", type, sizesOf(s.result), [&](Axes i) {
    if (s.summed.empty())
      return product(i, {});
    return b.reduce(Red::Sum, acc, sizesOf(s.summed), {}, [&](Axes k) { return product(i, k); });
  });
  return b.finish({y});
}

} // namespace

void registerEinsum(std::vector<Operator> &ops) {
  ops.push_back({.name = "einsum",
                 .doc = "The sum of products that an equation of axis labels describes.",
                 .minOperands = 1,
                 .maxOperands = 255,
                 .attrs = {requiredAttr("equation", AttrKind::String, "as in \"bij,bjk->bik\"")},
                 .meaning = einsum,
                 .contract = FloatContract::Reassociate});
}

} // namespace imbrex::opmeaning
