// Lines, tokens and terms of certificates.
#include "proof/certificate/check/Reader.h"

#include <algorithm>
#include <regex>

namespace imbrex::check {

Line::Line(std::string_view text, size_t number) : number(number) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    std::string token;
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size())
          token += text[++i] == 'n' ? '\n' : text[i];
        else
          token += text[i];
      }
      if (i++ == text.size())
        throw Rejection{"a text does not end"};
      token = "\"" + token;
    } else {
      for (; i < text.size() && text[i] != ' '; ++i) {
        if (static_cast<unsigned char>(text[i]) < ' ' || text[i] == '\x7f')
          throw Rejection{"only spaces stand between tokens"};
        token += text[i];
      }
    }
    tokens.push_back(std::move(token));
  }
}

std::string Line::next() {
  if (at == tokens.size())
    throw Rejection{"the line ends too early"};
  return tokens[at++];
}

uint32_t Line::count() {
  std::string token = next();
  if (token.empty() || token.size() > 7 ||
      token.find_first_not_of("0123456789") != std::string::npos)
    throw Rejection{"'" + token + "' is no number"};
  return uint32_t(std::stoul(token));
}

Line Reader::line() {
  while (!rest.empty()) {
    size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++lineNumber;
    Line line(text.starts_with('#') ? "" : text, lineNumber);
    if (text.starts_with("t ")) {
      line.next();
      readTerm(line);
    } else if (!line.atEnd()) {
      return line;
    }
  }
  return Line("", lineNumber);
}

void Reader::readTerm(Line &line) {
  uint32_t number = line.count();
  std::string op = line.next();
  Id id = termOf(op, line);
  must(line.atEnd(), "the term's line is too long");
  must(ids.emplace(number, id).second, "a term has the number of another one");
}

Id Reader::term(Line &line) {
  lastTerm = line.count();
  auto it = ids.find(lastTerm);
  must(it != ids.end(), "there is no term of this number");
  return it->second;
}

std::vector<Id> Reader::list(Line &line) {
  std::vector<Id> all;
  for (uint32_t i = line.count(); i > 0; --i)
    all.push_back(term(line));
  return all;
}

Sort Reader::sort(Line &line) {
  std::string token = line.next();
  bool plain = token == "bool" || token == "int" || token == "real";
  must(plain || token[0] == '"', "there is no such sort");
  return terms.name(plain ? token : token + "'");
}

Name Reader::quoted(Line &line) {
  std::string token = line.next();
  must(token[0] == '"', "a text in quotes is expected");
  return terms.name(token);
}

Name Reader::variableName(Line &line) {
  static const std::regex form("x[0-9]+|b[0-9]+_[0-9]+");
  std::string name = line.next();
  must(name.size() <= 32 && std::regex_match(name, form), "this is no name of a variable");
  return terms.name(name);
}

Variable Reader::variable(Line &line) {
  Variable v{variableName(line), {}};
  for (uint32_t i = line.count(); i > 0; --i)
    v.shape.push_back(sort(line));
  return v;
}

std::vector<Variable> Reader::variables(Line &line) {
  std::vector<Variable> all;
  for (uint32_t i = line.count(); i > 0; --i)
    all.push_back(variable(line));
  return all;
}

Id Reader::termOf(const std::string &op, Line &line) {
  auto several = [&](size_t count) {
    std::vector<Id> kids = list(line);
    must(kids.size() == count, "another number of parts is expected");
    return kids;
  };
  if (op == "true" || op == "false")
    return terms.boolean(op == "true");
  if (op == "number")
    return sort(line), terms.number(Rational::of(line.next()));
  if (op == "text") {
    Sort own = sort(line);
    return terms.literal(terms.text(quoted(line)), own);
  }
  if (op == "variable") {
    Sort own = sort(line);
    Name name = variableName(line);
    return terms.variable(name, line.count(), own);
  }
  if (op == "apply") {
    Sort own = sort(line);
    Name name = quoted(line);
    return terms.apply(name, list(line), own);
  }
  if (op == "linear") {
    sort(line);
    Rational constant = Rational::of(line.next());
    std::vector<std::pair<Rational, Id>> parts;
    for (uint32_t i = line.count(); i > 0; --i) {
      Rational factor = Rational::of(line.next());
      parts.emplace_back(factor, term(line));
    }
    return terms.linear(constant, parts);
  }
  if (op == "product")
    return sort(line), terms.product(list(line));
  if (op == "choose") {
    sort(line);
    std::vector<Id> kids = several(3);
    return terms.choose(kids[0], kids[1], kids[2]);
  }
  if (op == "and" || op == "or")
    return op == "and" ? terms.conjunction(list(line)) : terms.disjunction(list(line));
  if (op == "not")
    return terms.negation(several(1)[0]);
  if (op == "zero")
    return terms.zero(several(1)[0]);
  if (op == "positive")
    return terms.positive(several(1)[0]);
  if (op == "equal" || op == "less") {
    std::vector<Id> kids = several(2);
    return op == "equal" ? terms.equal(kids[0], kids[1]) : terms.less(kids[0], kids[1]);
  }
  bool isExists = op == "exists";
  must(isExists || op == "sum" || op == "collect", "there is no such kind of term");
  Sort own = isExists ? terms.boolSort : sort(line);
  Name name = op == "collect" ? quoted(line) : 0;
  std::vector<Variable> bound = variables(line);
  return terms.binder(isExists      ? Op::Exists
                      : op == "sum" ? Op::Sum
                                    : Op::Collect,
                      name, own, bound, list(line));
}

} // namespace imbrex::check
