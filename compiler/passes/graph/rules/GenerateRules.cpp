// Run by the build: parses and checks .rules files, and writes the table behind allRules() as C++.
//
//   generate-rules OUT.cpp FILE.rules …
#include "compiler/passes/graph/rules/ParseRules.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace imbrex;
using namespace imbrex::rules;

namespace {

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

template <class List, class Make> std::string listOf(const List &items, Make make) {
  std::string out = "{";
  for (const auto &item : items)
    out += (out.size() > 1 ? ", " : "") + make(item);
  return out + "}";
}

std::string valueOf(const opmeaning::AttrValue &value) {
  char real[40];
  switch (value.index()) {
  case 0:
    return "int64_t{" + std::to_string(std::get<0>(value)) + "}";
  case 1:
    std::snprintf(real, sizeof real, "%.17e", std::get<1>(value)); // "-0" would be an integer, and lose its sign
    return std::string("double{") + real + "}";
  case 2:
    return "std::string(" + quoted(std::get<2>(value)) + ")";
  default:
    return "std::vector<int64_t>" +
           listOf(std::get<3>(value), [](int64_t v) { return std::to_string(v); });
  }
}

std::string attrOf(const AttrTerm &attr) {
  switch (attr.kind) {
  case AttrTerm::Kind::Variable:
    return "variableAttr(" + quoted(attr.name) + ")";
  case AttrTerm::Kind::Value:
    return "valueAttr(" + valueOf(attr.value) + ")";
  case AttrTerm::Kind::Call:
    return "callAttr(" + quoted(attr.name) + ", " + listOf(attr.arguments, attrOf) + ")";
  }
  return "";
}

std::string termOf(const Term &term) {
  if (term.kind == Term::Kind::Variable)
    return "variable(" + quoted(term.name) + ")";
  return "apply(" + quoted(term.name) + ", " + listOf(term.operators, quoted) + ", " +
         listOf(term.arguments, termOf) + ", " +
         listOf(term.attrs,
                [](const NamedAttr &a) {
                  return "{" + quoted(a.name) + ", " + attrOf(a.value) + "}";
                }) +
         ", " + quoted(term.attrSet) + (term.more ? ", true)" : ", false)");
}

std::string ruleOf(const Rule &rule) {
  const char *contracts[] = {"ExactBits", "ExactIntegers", "Reals"};
  return "      {" + quoted(rule.name) + ", " + quoted(rule.file) + ", " +
         std::to_string(rule.line) + ",\n       " + termOf(rule.left) + ",\n       " +
         termOf(rule.right) + ",\n       " +
         listOf(rule.conditions,
                [](const Condition &c) {
                  return "{" + quoted(c.name) + ", " + listOf(c.arguments, attrOf) + "}";
                }) +
         ",\n       Contract::" + contracts[static_cast<int>(rule.contract)] + ", " +
         quoted(rule.licence) + "},\n";
}

constexpr const char *head = R"(// Written by the build from compiler/passes/graph/*.rules.
#include "compiler/passes/graph/rules/Rule.h"

namespace imbrex::rules {
namespace {

AttrTerm variableAttr(const char *name) { return {AttrTerm::Kind::Variable, name, int64_t{0}, {}}; }
AttrTerm valueAttr(opmeaning::AttrValue value) { return {AttrTerm::Kind::Value, "", std::move(value), {}}; }
[[maybe_unused]] AttrTerm callAttr(const char *name, std::vector<AttrTerm> arguments) {
  return {AttrTerm::Kind::Call, name, int64_t{0}, std::move(arguments)};
}
Term variable(const char *name) { return {Term::Kind::Variable, name, {}, {}, {}, {}, false}; }
Term apply(const char *name, std::vector<std::string> operators, std::vector<Term> arguments,
           std::vector<NamedAttr> attrs, const char *attrSet, bool more) {
  return {Term::Kind::Apply, name, std::move(operators), std::move(arguments), std::move(attrs), attrSet, more};
}

} // namespace

const std::vector<Rule> &allRules() {
  static const std::vector<Rule> rules = {
)";

int report(const Error &error) {
  std::fprintf(stderr, "%s\n", error.str().c_str());
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return report(badInput(630, "usage: generate-rules OUT.cpp FILE.rules …"));
  std::vector<std::string> files(argv + 2, argv + argc);
  std::sort(files.begin(), files.end());
  std::vector<Rule> all;
  for (const std::string &file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    Result<std::vector<Rule>> rules =
        parseRules(text, std::filesystem::path(file).filename().string());
    if (!rules)
      return report(rules.error());
    for (Rule &rule : *rules)
      all.push_back(std::move(rule));
  }
  if (Status s = checkRules(all); !s)
    return report(s.error());
  std::ofstream out(argv[1]);
  out << head;
  for (const Rule &rule : all)
    out << ruleOf(rule);
  out << "  };\n  return rules;\n}\n\n} // namespace imbrex::rules\n";
  return out.good() ? 0 : report(badInput(2, std::string("cannot write ") + argv[1]));
}
