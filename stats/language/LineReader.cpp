#include "stats/language/LineReader.h"

#include "stats/data/Numbers.h"

#include <algorithm>

namespace imbrex::stats {

Place LineReader::place() const {
  if (at < tokens->size())
    return {(*tokens)[at].line, (*tokens)[at].column};
  if (tokens->empty())
    return {};
  const Token &last = tokens->back();
  return {last.line, static_cast<uint32_t>(last.column + last.text.size())};
}

FileLocation LineReader::here() const { return {*file, place().line, place().column}; }

std::string LineReader::describeNext() const {
  return at < tokens->size() ? "'" + (*tokens)[at].text.substr(0, 60) + "' stands here"
                             : "the line ends here";
}

bool LineReader::take(std::string_view symbol) {
  if (!nextIs(symbol))
    return false;
  ++at;
  return true;
}

bool LineReader::takeWord(std::string_view word) {
  if (!nextIsWord(word))
    return false;
  ++at;
  return true;
}

bool LineReader::expect(std::string_view symbol, const std::string &after) {
  if (failed)
    return false;
  if (take(symbol))
    return true;
  fail(1231, "'" + std::string(symbol) + "' is missing after " + after, describeNext());
  return false;
}

std::string LineReader::name(const std::string &what,
                             std::initializer_list<std::string_view> stops) {
  std::string text;
  if (failed)
    return text;
  if (at < tokens->size() && (*tokens)[at].kind == TokenKind::Quoted)
    return (*tokens)[at++].text;
  while (at < tokens->size() && (*tokens)[at].kind == TokenKind::Word &&
         std::find(stops.begin(), stops.end(), (*tokens)[at].text) == stops.end())
    text += (text.empty() ? "" : " ") + (*tokens)[at++].text;
  if (text.empty())
    fail(1231, what + " is missing", describeNext(), "quotes around names that hold symbols");
  return text;
}

std::string LineReader::word(const std::string &what) {
  if (!failed && at < tokens->size() && (*tokens)[at].kind == TokenKind::Word)
    return (*tokens)[at++].text;
  fail(1231, what + " is missing", describeNext());
  return "";
}

std::vector<std::string> LineReader::names(const std::string &what,
                                           std::initializer_list<std::string_view> stops) {
  std::vector<std::string> list;
  do
    list.push_back(name(what, stops));
  while (!failed && take(","));
  return list;
}

double LineReader::number(const std::string &what) {
  Place where = place();
  std::string text = name(what, {"by", "within", "given", "order"});
  std::optional<double> value = parseNumber(text, {});
  if (!value && !failed)
    failAt(where, 1236, what + " is no number", "'" + text + "' stands here");
  return value.value_or(0);
}

void LineReader::range(std::optional<double> &low, std::optional<double> &high) {
  Place where = place();
  expect("[", "the range");
  low = number("the lower end of the range");
  expect(",", "the lower end of the range");
  high = number("the upper end of the range");
  expect("]", "the range");
  if (!failed && *low > *high)
    failAt(where, 1236, "the range ends before it starts", "", "[low, high]");
}

void LineReader::expectEnd() {
  if (!failed && at < tokens->size())
    fail(1231, "text is left over on this line", describeNext(),
         "quotes around names that hold symbols");
}

void LineReader::fail(uint16_t code, std::string what, std::string because, std::string remedy) {
  failAt(place(), code, std::move(what), std::move(because), std::move(remedy));
}

void LineReader::failAt(Place where, uint16_t code, std::string what, std::string because,
                        std::string remedy) {
  if (failed)
    return;
  failed = true;
  error = badInput(code, std::move(what), std::move(because), std::move(remedy),
                   {*file, where.line, where.column});
}

} // namespace imbrex::stats
