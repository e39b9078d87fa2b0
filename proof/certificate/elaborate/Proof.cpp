#include "proof/certificate/elaborate/Proof.h"

namespace imbrex::certificate {

std::string quotedName(const std::string &name) {
  std::string out = "\"";
  for (char c : name.substr(1)) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

std::string sortText(const std::string &name) {
  return name[0] == '"' ? quotedName(name.substr(0, name.size() - 1)) : name;
}

Tokens &Tokens::variable(const Terms &terms, const Variable &v) {
  text(terms.text(v.name)).number(v.shape.size());
  for (Sort sort : v.shape)
    text(sortText(terms.text(sort)));
  return *this;
}

Tokens &Tokens::variables(const Terms &terms, const Variables &all) {
  number(all.size());
  for (const Variable &v : all)
    variable(terms, v);
  return *this;
}

Theorem Proof::add(const std::string &rule, Id formula, Tokens tokens, std::vector<Tokens> lines) {
  steps.push_back({rule, formula, std::move(tokens), std::move(lines)});
  return Theorem(steps.size() - 1);
}

void Proof::remember(Id binder, const Variables &names, const std::vector<Id> &kids) {
  if (terms[binder].isBinder())
    named.try_emplace(binder, Named{names, kids});
}

void Proof::mark(const Tokens &tokens, std::vector<bool> &needed) const {
  for (const Token &token : tokens)
    if (token.kind == Token::Kind::Theorem)
      needed[token.reference] = true;
}

std::string Proof::words(const Tokens &tokens) {
  std::string all;
  for (const Token &token : tokens)
    all += " " + (token.kind == Token::Kind::Term      ? printed(token.reference)
                  : token.kind == Token::Kind::Theorem ? numbers.at(token.reference)
                                                       : token.text);
  return all;
}

std::string Proof::printed(Id id) {
  if (auto it = done.find(id); it != done.end())
    return it->second;
  std::string line = words(termLine(id)), name = std::to_string(done.size() + 1);
  done.emplace(id, name);
  out += "t " + name + line + "\n";
  return name;
}

const Proof::Named &Proof::form(Id id) {
  auto it = named.find(id);
  if (it == named.end()) {
    const Node &node = terms[id];
    Named own;
    for (size_t i = 0; i < node.shapes.size(); ++i)
      own.names.push_back(
          {terms.name("b" + std::to_string(id) + "_" + std::to_string(i)), node.shapes[i]});
    own.kids = terms.open(id, own.names);
    it = named.emplace(id, own).first;
  }
  return it->second;
}

Tokens Proof::termLine(Id id) {
  const Node &node = terms[id];
  Tokens line;
  std::string sort = sortText(terms.text(node.sort));
  auto word = [&](const char *kind) -> Tokens & { return line.text(kind).text(sort); };
  switch (node.op) {
  case Op::True:
    return line.text("true");
  case Op::Number:
    return word("number").text(node.value.str());
  case Op::Text:
    return word("text").text(quotedName(terms.text(node.symbol)));
  case Op::Variable:
    return word("variable").text(terms.text(node.symbol)).number(node.index);
  case Op::Apply:
    return word("apply").text(quotedName(terms.text(node.symbol))).list(node.kids);
  case Op::Linear: {
    word("linear").text(node.value.str()).number(node.kids.size());
    for (size_t i = 0; i < node.kids.size(); ++i)
      line.text(node.factors[i].str()).term(node.kids[i]);
    return line;
  }
  case Op::Product:
    return word("product").list(node.kids);
  case Op::Choose:
    return word("choose").list(node.kids);
  case Op::And:
    return line.text("and").list(node.kids);
  case Op::Or:
    return line.text("or").list(node.kids);
  case Op::Not:
    return line.text("not").list(node.kids);
  case Op::Zero:
    return line.text("zero").list(node.kids);
  case Op::Positive:
    return line.text("positive").list(node.kids);
  case Op::Equal:
    return line.text("equal").list(node.kids);
  case Op::Less:
    return line.text("less").list(node.kids);
  default:
    break;
  }
  if (!node.isBinder())
    throw Rejection{"internal: a term that cannot be printed"};
  const Named &form = this->form(id);
  line.text(node.op == Op::Exists ? "exists" : node.op == Op::Sum ? "sum" : "collect");
  if (node.op != Op::Exists)
    line.text(sort);
  if (node.op == Op::Collect)
    line.text(quotedName(terms.text(node.symbol)));
  return line.variables(terms, form.names).list(form.kids);
}

std::string Proof::text(const std::string &header, const Tokens &claim) {
  std::vector<bool> needed(steps.size());
  mark(claim, needed);
  for (size_t i = steps.size(); i-- > 1;)
    if (needed[i]) {
      mark(steps[i].tokens, needed);
      for (const Tokens &line : steps[i].lines)
        mark(line, needed);
    }
  out = header;
  for (size_t i = 1; i < steps.size(); ++i) {
    if (!needed[i])
      continue;
    numbers[Theorem(i)] = std::to_string(numbers.size() + 1);
    std::string own = words(steps[i].tokens), more;
    for (const Tokens &line : steps[i].lines)
      more += words(line).substr(1) + "\n";
    out += steps[i].rule + " " + numbers[Theorem(i)] + own + "\n" + more;
  }
  std::string last = words(claim).substr(1);
  out += last + "\n";
  return out;
}

} // namespace imbrex::certificate
