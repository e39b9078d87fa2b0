// Calcite's SEARCH(x, Sarg[...]): x is in one of the ranges. `Sarg[1, 3, (5..7], [9..+∞)]`, and at
// the end perhaps `; NULL AS TRUE` or `; NULL AS FALSE` for a NULL x, which else gives NULL.
#include "proof/sql/qed/QedReader.h"

#include "proof/sql/query/Types.h"

#include <optional>

namespace imbrex::sql::qed {

namespace {

constexpr std::string_view MinusInfinity = "-∞", PlusInfinity = "+∞";

/// Splits at `separator` outside quotes and brackets.
std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\'')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '('))
      ++depth;
    else if (!quoted && (c == ']' || c == ')'))
      --depth;
    if (!quoted && depth == 0 && text.substr(i, separator.size()) == separator) {
      parts.emplace_back();
      i += separator.size() - 1;
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

Result<ExprPtr> readBound(const ExprPtr &operand, const std::string &text, Op op) {
  Result<ExprPtr> leaf = readLeaf(text, operand->type);
  if (!leaf)
    return leaf;
  if ((*leaf)->kind != ExprKind::Literal || isNull((*leaf)->value))
    return refused("SEARCH with the bound " + text);
  return makeCall(op, {operand, *leaf});
}

Result<ExprPtr> readRange(const ExprPtr &operand, const std::string &range) {
  if (range.size() < 2 || (range[0] != '(' && range[0] != '['))
    return readBound(operand, range, Op::Equal);
  std::vector<std::string> ends = split(range.substr(1, range.size() - 2), "..");
  if (ends.size() != 2)
    return refused("SEARCH with the range " + range);
  std::vector<ExprPtr> conditions;
  if (ends[0] != MinusInfinity) {
    auto low = readBound(operand, ends[0], range[0] == '[' ? Op::GreaterEqual : Op::Greater);
    if (!low)
      return low;
    conditions.push_back(low.take());
  }
  if (ends[1] != PlusInfinity) {
    auto high = readBound(operand, ends[1], range.back() == ']' ? Op::LessEqual : Op::Less);
    if (!high)
      return high;
    conditions.push_back(high.take());
  }
  if (conditions.empty())
    return refused("SEARCH over everything");
  return makeAnd(conditions);
}

} // namespace

Result<ExprPtr> readSearch(const ExprPtr &operand, const std::string &ranges) {
  constexpr std::string_view prefix = "Sarg[";
  if (ranges.size() <= prefix.size() || ranges.compare(0, prefix.size(), prefix) != 0 ||
      ranges.back() != ']')
    return refused("SEARCH over something that is no list of ranges");
  std::string_view inside = std::string_view(ranges).substr(prefix.size());
  inside.remove_suffix(1);
  std::vector<std::string> parts = split(inside, "; ");
  std::vector<ExprPtr> conditions;
  for (const std::string &range : split(parts[0], ", ")) {
    Result<ExprPtr> condition = readRange(operand, range);
    if (!condition)
      return condition;
    conditions.push_back(condition.take());
  }
  ExprPtr found = conditions.size() == 1 ? conditions[0] : makeCall(Op::Or, conditions);
  if (parts.size() == 1)
    return found;
  if (parts.size() == 2 && parts[1] == "NULL AS TRUE")
    return makeCall(Op::Or, {makeCall(Op::IsNull, {operand}), found});
  if (parts.size() == 2 && parts[1] == "NULL AS FALSE")
    return makeCall(Op::And, {makeCall(Op::IsNotNull, {operand}), found});
  return refused("SEARCH with " + parts[1]);
}

} // namespace imbrex::sql::qed
