#include "compiler/passes/graph/rules/ParseRules.h"

#include <charconv>
#include <map>

namespace imbrex::rules {

namespace {

constexpr uint32_t mostDepth = 32;

struct Token {
  enum class Kind : uint8_t { End, Word, Number, Text, Mark } kind = Kind::End;
  std::string text;
  uint32_t line = 1, column = 1;
};

/// Words hold letters, digits, '_' and, inside, '-'. Comments go from '#' to the end of the line.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  Token next() {
    skipBlanks();
    Token token{Token::Kind::End, "", line, column};
    if (at == text.size())
      return token;
    const char c = text[at];
    const bool sign = (c == '-' || c == '+') && at + 1 < text.size() && isDigit(text[at + 1]);
    if (isLetter(c))
      take(token, Token::Kind::Word, [&](char d) { return isLetter(d) || isDigit(d) || d == '-'; });
    else if (isDigit(c) || sign)
      take(token, Token::Kind::Number,
           [&](char d) { return isLetter(d) || isDigit(d) || d == '.'; });
    else if (c == '"')
      quoted(token);
    else
      mark(token);
    return token;
  }

private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  void advance() {
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at++] == '\n';
  }

  void skipBlanks() {
    bool comment = false;
    for (; at < text.size(); advance()) {
      comment = (comment || text[at] == '#') && text[at] != '\n';
      if (!comment && text[at] != ' ' && text[at] != '\n' && text[at] != '\t' && text[at] != '\r')
        return;
    }
  }

  template <class Fits> void take(Token &token, Token::Kind kind, Fits fits) {
    token.kind = kind;
    do {
      token.text += text[at];
      advance();
    } while (at < text.size() && fits(text[at]));
  }

  void quoted(Token &token) {
    token.kind = Token::Kind::Text;
    for (advance(); at < text.size() && text[at] != '"' && text[at] != '\n'; advance())
      token.text += text[at];
    if (at < text.size() && text[at] == '"')
      advance();
  }

  void mark(Token &token) {
    token.kind = Token::Kind::Mark;
    const size_t length = text.substr(at).starts_with("=>")  ? 2
                          : text.substr(at).starts_with("…") ? std::string_view("…").size()
                                                             : 1;
    for (size_t i = 0; i < length; ++i) {
      token.text += text[at];
      advance();
    }
  }

  std::string_view text;
  size_t at = 0;
  uint32_t line = 1, column = 1;
};

class Parser {
public:
  Parser(std::string_view text, std::string file) : scanner(text), file(std::move(file)) {
    token = scanner.next();
  }

  Result<std::vector<Rule>> run() {
    while (!failed && token.kind != Token::Kind::End) {
      if (takeWord("class"))
        parseClass();
      else if (takeWord("rule"))
        parseRule();
      else
        fail("'rule' or 'class' is expected");
    }
    if (failed)
      return *failed;
    return std::move(rules);
  }

private:
  void fail(const std::string &why) {
    if (!failed)
      failed = badInput(630, "this is no rule: " + why,
                        token.kind == Token::Kind::End ? "the file ends here"
                                                       : "here stands '" + token.text + "'",
                        "", {file, token.line, token.column});
  }
  void advance() { token = scanner.next(); }
  bool isMark(std::string_view text) const {
    return token.kind == Token::Kind::Mark && token.text == text;
  }
  bool takeMark(std::string_view text) {
    const bool here = isMark(text);
    if (here)
      advance();
    return here;
  }
  bool takeWord(std::string_view text) {
    const bool here = token.kind == Token::Kind::Word && token.text == text;
    if (here)
      advance();
    return here;
  }
  void needMark(std::string_view text) {
    if (!takeMark(text))
      fail("'" + std::string(text) + "' is expected");
  }
  std::string word(const char *what) {
    if (token.kind != Token::Kind::Word) {
      fail(std::string(what) + " is expected");
      return {};
    }
    std::string text = token.text;
    advance();
    return text;
  }

  void parseClass() {
    std::vector<std::string> &members = classes[word("the name of a class")];
    needMark("=");
    do
      members.push_back(word("an operator"));
    while (!failed && takeMark("|"));
  }

  void parseRule() {
    Rule rule;
    rule.file = file;
    rule.line = token.line;
    rule.name = word("the name of a rule");
    rule.left = parseTerm(0);
    needMark("=>");
    rule.right = parseTerm(0);
    while (!failed && takeWord("where"))
      do
        rule.conditions.push_back(parseCondition());
      while (!failed && takeMark(","));
    parseContract(rule);
    rules.push_back(std::move(rule));
  }

  void parseContract(Rule &rule) {
    if (!takeWord("contract"))
      return fail("'contract' is expected");
    if (takeWord("reals")) {
      rule.contract = Contract::Reals;
      if (takeWord("licence"))
        rule.licence = word("the name of a licence");
      return;
    }
    if (!takeWord("exact"))
      return fail("'exact bits', 'exact integers' or 'reals licence NAME' is expected");
    if (takeWord("integers"))
      rule.contract = Contract::ExactIntegers;
    else if (!takeWord("bits"))
      fail("'bits' or 'integers' is expected");
  }

  Condition parseCondition() {
    Condition condition;
    condition.name = word("a condition");
    if (takeMark("("))
      condition.arguments = parseArguments(0);
    return condition;
  }

  /// After "(", up to and with ")".
  std::vector<AttrTerm> parseArguments(uint32_t depth) {
    std::vector<AttrTerm> list;
    if (takeMark(")"))
      return list;
    do
      list.push_back(parseAttr(depth + 1));
    while (!failed && takeMark(","));
    needMark(")");
    return list;
  }

  AttrTerm parseAttr(uint32_t depth) {
    AttrTerm attr;
    if (depth > mostDepth) {
      fail("it nests too deeply");
    } else if (token.kind == Token::Kind::Number) {
      attr.value = parseNumber();
    } else if (token.kind == Token::Kind::Text) {
      attr.value = token.text;
      advance();
    } else if (takeMark("[")) {
      attr.value = parseInts();
    } else {
      attr.name = word("an attribute's value");
      attr.kind = takeMark("(") ? AttrTerm::Kind::Call : AttrTerm::Kind::Variable;
      if (attr.kind == AttrTerm::Kind::Call)
        attr.arguments = parseArguments(depth);
    }
    return attr;
  }

  opmeaning::AttrValue parseNumber() {
    const std::string text = token.text[0] == '+' ? token.text.substr(1) : token.text;
    const char *end = text.data() + text.size();
    int64_t integer = 0;
    double real = 0;
    if (auto r = std::from_chars(text.data(), end, integer); r.ec == std::errc() && r.ptr == end) {
      advance();
      return integer;
    }
    if (auto r = std::from_chars(text.data(), end, real); r.ec != std::errc() || r.ptr != end)
      fail("a number is expected");
    advance();
    return real;
  }

  std::vector<int64_t> parseInts() {
    std::vector<int64_t> list;
    while (!failed && !takeMark("]")) {
      const opmeaning::AttrValue value = token.kind == Token::Kind::Number ? parseNumber() : "";
      if (!std::holds_alternative<int64_t>(value))
        fail("an integer is expected");
      else
        list.push_back(std::get<int64_t>(value));
      if (!isMark("]"))
        needMark(",");
    }
    return list;
  }

  Term parseTerm(uint32_t depth) {
    Term term;
    if (depth > mostDepth) {
      fail("it nests too deeply");
      return term;
    }
    term.name = word("a term");
    if (!takeMark("("))
      return term;
    term.kind = Term::Kind::Apply;
    auto known = classes.find(term.name);
    term.operators = known == classes.end() ? std::vector{term.name} : known->second;
    while (!failed && !takeMark(")")) {
      parseOperand(term, depth);
      if (!isMark(")"))
        needMark(",");
    }
    return term;
  }

  /// "…", "*NAME", a term, or an attribute: NAME = VALUE.
  void parseOperand(Term &term, uint32_t depth) {
    if (takeMark("…")) {
      term.more = true;
      return;
    }
    if (takeMark("*")) {
      term.attrSet = word("a name for the attributes");
      return;
    }
    Term operand = parseTerm(depth + 1);
    if (operand.kind == Term::Kind::Variable && takeMark("="))
      term.attrs.push_back({operand.name, parseAttr(depth + 1)});
    else
      term.arguments.push_back(std::move(operand));
  }

  Scanner scanner;
  std::string file;
  Token token;
  std::map<std::string, std::vector<std::string>> classes;
  std::vector<Rule> rules;
  std::optional<Error> failed;
};

} // namespace

Result<std::vector<Rule>> parseRules(std::string_view text, const std::string &file) {
  return Parser(text, file).run();
}

} // namespace imbrex::rules
