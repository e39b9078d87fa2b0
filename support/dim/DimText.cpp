// Printing and reading of DimExpr.
//
//   sum := product (('+' | '-') product)*        product := unary (('*' | 'floordiv' | 'mod')
//   unary)* unary := '-' unary | number | name | ('min' | 'max' | 'bcast') '(' sum ',' sum ')' |
//   '(' sum ')'
#include "support/dim/DimImpl.h"

#include <cctype>

namespace imbrex {

using Kind = DimExpr::AtomKind;

bool isReservedDimWord(std::string_view word) {
  return word == "floordiv" || word == "mod" || word == "min" || word == "max" || word == "bcast";
}

static std::string simple(const DimExpr &e) {
  if (auto c = e.constant(); (c && *c >= 0) || e.asSymbol())
    return e.str();
  return "(" + e.str() + ")";
}

static std::string atomText(const DimExpr::Atom &a, bool alone) {
  switch (a.kind) {
  case Kind::Symbol:
    return a.name;
  case Kind::Min:
  case Kind::Max:
  case Kind::Broadcast:
    return std::string(a.kind == Kind::Min   ? "min("
                       : a.kind == Kind::Max ? "max("
                                             : "bcast(") +
           a.lhs.str() + ", " + a.rhs.str() + ")";
  case Kind::FloorDiv:
  case Kind::Mod: {
    std::string s =
        simple(a.lhs) + (a.kind == Kind::FloorDiv ? " floordiv " : " mod ") + simple(a.rhs);
    return alone ? s : "(" + s + ")";
  }
  }
  return {};
}

std::string DimExpr::str() const {
  if (!valid())
    return "invalid";
  if (terms().empty())
    return "0";
  std::string out;
  for (const Term &t : terms()) {
    bool alone = terms().size() == 1 && t.coefficient == 1 && t.factors.size() == 1;
    if (!out.empty() && t.coefficient > 0)
      out += "+";
    bool bare = !t.factors.empty() && (t.coefficient == 1 || t.coefficient == -1);
    if (bare)
      out += t.coefficient < 0 ? "-" : "";
    else
      out += std::to_string(t.coefficient);
    for (size_t i = 0; i < t.factors.size(); ++i) {
      if (i || !bare)
        out += "*";
      out += atomText(*t.factors[i], alone);
    }
  }
  return out;
}

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Result<DimExpr> run() {
    DimExpr e = sum();
    skip();
    if (problem.empty() && at != text.size())
      fail("unexpected '" + std::string(1, text[at]) + "'");
    if (problem.empty() && !e.valid())
      fail("a number does not fit in 64 bits, or the expression is too large");
    if (!problem.empty())
      return badInput(503, "cannot read the dimension '" + std::string(text.substr(0, 80)) + "'",
                      problem + " at character " + std::to_string(at + 1),
                      "an expression such as '2*n+1' or '(n+3) floordiv 2'");
    return e;
  }

private:
  std::string_view text;
  size_t at = 0;
  int depth = 0;
  std::string problem;

  DimExpr fail(std::string why) {
    if (problem.empty())
      problem = std::move(why);
    return 0;
  }
  void skip() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  bool eat(char c) {
    skip();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  static bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$';
  }
  static bool isNamePart(char c) {
    return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.';
  }
  std::string_view peekWord() {
    skip();
    size_t end = at;
    if (end < text.size() && isNameStart(text[end]))
      while (end < text.size() && isNamePart(text[end]))
        ++end;
    return text.substr(at, end - at);
  }
  bool eatWord(std::string_view word) {
    if (peekWord() != word)
      return false;
    at += word.size();
    return true;
  }

  DimExpr sum() {
    DimExpr e = product();
    while (problem.empty()) {
      if (eat('+'))
        e = e + product();
      else if (eatMinNumber())
        e = e + INT64_MIN;
      else if (eat('-'))
        e = e - product();
      else
        break;
    }
    return e;
  }

  /// The one number whose magnitude is no int64; printed as the last term of a sum.
  bool eatMinNumber() {
    constexpr std::string_view kText = "-9223372036854775808";
    skip();
    if (text.substr(at, kText.size()) != kText ||
        (at + kText.size() < text.size() && std::isdigit(text[at + kText.size()])))
      return false;
    at += kText.size();
    return true;
  }

  DimExpr product() {
    DimExpr e = unary();
    while (problem.empty()) {
      if (eat('*')) {
        e = e * unary();
        continue;
      }
      bool divides = eatWord("floordiv");
      if (!divides && !eatWord("mod"))
        break;
      DimExpr r = unary();
      if (auto c = r.constant(); problem.empty() && c && *c <= 0)
        return fail("a divisor must be greater than 0");
      e = divides ? floorDiv(e, r) : mod(e, r);
    }
    return e;
  }

  DimExpr unary() {
    if (++depth > 100)
      return fail("nested too deeply");
    DimExpr e = eatMinNumber() ? DimExpr(INT64_MIN) : eat('-') ? DimExpr(0) - unary() : primary();
    --depth;
    return e;
  }

  DimExpr primary() {
    if (eat('(')) {
      DimExpr e = sum();
      return eat(')') ? e : fail("expected ')'");
    }
    if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
      return number();
    std::string_view word = peekWord();
    if (word.empty())
      return fail(at < text.size() ? "unexpected '" + std::string(1, text[at]) + "'"
                                   : "unexpected end");
    if (word == "floordiv" || word == "mod")
      return fail("'" + std::string(word) + "' has no left side");
    at += word.size();
    if (word != "min" && word != "max" && word != "bcast")
      return DimExpr::symbol(word);
    if (!eat('('))
      return fail("expected '('");
    DimExpr l = sum();
    if (!eat(','))
      return fail("expected ','");
    DimExpr r = sum();
    if (!eat(')'))
      return fail("expected ')'");
    return word == "min" ? min(l, r) : word == "max" ? max(l, r) : broadcast(l, r);
  }

  DimExpr number() {
    int64_t v = 0;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]))) {
      if (__builtin_mul_overflow(v, int64_t{10}, &v) ||
          __builtin_add_overflow(v, int64_t{text[at] - '0'}, &v))
        return fail("a number does not fit in 64 bits");
      ++at;
    }
    return v;
  }
};

} // namespace

Result<DimExpr> DimExpr::parse(std::string_view text) { return Parser(text).run(); }

} // namespace imbrex
