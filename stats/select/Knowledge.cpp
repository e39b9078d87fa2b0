#include "stats/select/Knowledge.h"

#include "stats/data/Table.h"
#include "stats/language/LineReader.h"
#include "stats/select/KnowledgeTexts.h"
#include "stats/select/Measure.h"
#include "support/text/Nearest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>

namespace imbrex::stats {
namespace {

const std::vector<std::string> roles = {"x", "y", "first", "second", "each", "all"};

class KnowledgeReader {
public:
  KnowledgeReader(Knowledge &knowledge, const std::string &file)
      : knowledge(knowledge), file(file) {}

  Status read(std::string_view text) {
    LexedText lexed = lexTea(text, file);
    if (!lexed.errors.empty())
      return lexed.errors[0];
    for (const Line &line : lexed.lines) {
      LineReader in(line.tokens, file);
      if (line.indented)
        entry(in);
      else
        statement(in);
      in.expectEnd();
      if (!in.ok())
        return in.takeError();
    }
    std::sort(knowledge.procedures.begin(), knowledge.procedures.end(),
              [](const Procedure &a, const Procedure &b) {
                return std::tie(a.prefer, a.id) < std::tie(b.prefer, b.id);
              });
    return {};
  }

private:
  enum class Block { None, Property, Procedure, Rules };

  void statement(LineReader &in) {
    Place place = in.place();
    std::string word = in.word("a statement");
    if (word == "property") {
      block = Block::Property;
      Property p;
      p.id = p.measure = in.word("the property's id");
      if (knowledge.property(p.id))
        in.failAt(place, 1252, "property '" + p.id + "' exists already");
      while (!in.done())
        p.parameters.push_back((in.take("*") ? "*" : "") + in.word("a parameter"));
      knowledge.properties.push_back(std::move(p));
    } else if (word == "procedure") {
      block = Block::Procedure;
      Procedure p;
      p.id = p.name = p.computes = in.word("the procedure's id");
      if (knowledge.procedure(p.id))
        in.failAt(place, 1252, "procedure '" + p.id + "' exists already", "", "another id");
      current = p.id;
      knowledge.procedures.push_back(std::move(p));
    } else if (word == "requires") {
      block = Block::Rules;
      rules = in.word("a set of rules");
      if (current.empty())
        in.failAt(place, 1250, "'requires' belongs to no procedure");
      else
        procedure().rules[rules];
    } else {
      in.failAt(place, 1250, "there is no statement '" + word + "'", "",
                "'property', 'procedure' or 'requires'");
    }
  }

  Procedure &procedure() {
    return *std::find_if(knowledge.procedures.begin(), knowledge.procedures.end(),
                         [&](const Procedure &p) { return p.id == current; });
  }

  void entry(LineReader &in) {
    if (block == Block::Rules)
      return requirement(in);
    Place place = in.place();
    std::string key = in.name("a key");
    in.expect(":", "'" + key + "'");
    if (!in.ok())
      return;
    if (block == Block::Property)
      propertyKey(key, place, in);
    else if (block == Block::Procedure)
      procedureKey(key, place, in);
    else
      in.failAt(place, 1250, "an indented line belongs to no block");
  }

  int smallNumber(Place place, LineReader &in, const char *what) {
    double number = in.number(what);
    if (in.ok() && !(number >= 0 && number <= 1000)) {
      in.failAt(place, 1250, std::string(what) + " must lie between 0 and 1000");
      return 0;
    }
    return in.ok() ? static_cast<int>(number) : 0;
  }

  void propertyKey(const std::string &key, Place place, LineReader &in) {
    Property &p = knowledge.properties.back();
    if (key == "says") {
      p.says = in.name("a sentence");
    } else if (key == "else") {
      p.otherwise = in.name("a sentence");
    } else if (key == "cost") {
      p.cost = smallNumber(place, in, "the cost");
    } else if (key == "measured by") {
      p.measure = in.name("a measurement");
    } else if (key == "implies") {
      do {
        Implication i{!in.takeWord("not"), in.word("a property"), {}};
        while (!in.done() && !in.nextIs(","))
          i.parameters.push_back(in.word("a parameter"));
        p.implications.push_back(std::move(i));
      } while (in.ok() && in.take(","));
    } else {
      in.failAt(place, 1250, "there is no key '" + key + "' of a property");
    }
    if (in.ok() && key == "measured by" && !measuredVariables(p.measure))
      in.failAt(place, 1251, "there is no measurement '" + p.measure + "'");
  }

  void procedureKey(const std::string &key, Place place, LineReader &in) {
    Procedure &p = procedure();
    if (key == "name")
      p.name = in.name("a name");
    else if (key == "answers")
      p.answers = in.name("a question");
    else if (key == "class")
      p.family = in.name("a class");
    else if (key == "computes")
      p.computes = in.name("a computation");
    else if (key == "prefer")
      p.prefer = smallNumber(place, in, "the order of preference");
    else if (key == "fallback")
      p.fallback = in.name("yes or no") == "yes";
    else
      in.failAt(place, 1250, "there is no key '" + key + "' of a procedure");
  }

  void requirement(LineReader &in) {
    Place place = in.place();
    Requirement r{in.word("a property"), {}};
    while (!in.done())
      r.roles.push_back(in.word("a role"));
    const Property *property = knowledge.property(r.property);
    if (!property) {
      std::vector<std::string> names;
      for (const Property &p : knowledge.properties)
        names.push_back(p.id);
      std::string near = nearestName(r.property, names);
      in.failAt(place, 1251, "there is no property '" + r.property + "'", "",
                near.empty() ? "" : "'" + near + "'");
      return;
    }
    if (r.roles.size() != property->parameters.size())
      in.failAt(place, 1251,
                "property '" + r.property + "' is about " +
                    std::to_string(property->parameters.size()) + " variables");
    for (const std::string &role : r.roles)
      if (std::find(roles.begin(), roles.end(), role) == roles.end())
        in.failAt(place, 1251, "there is no role '" + role + "'", "",
                  "x, y, first, second, each or all");
    procedure().rules[rules].push_back(std::move(r));
  }

  Knowledge &knowledge;
  const std::string &file;
  Block block = Block::None;
  std::string current, rules;
};

} // namespace

const Property *Knowledge::property(std::string_view id) const {
  for (const Property &p : properties)
    if (p.id == id)
      return &p;
  return nullptr;
}

const Procedure *Knowledge::procedure(std::string_view id) const {
  for (const Procedure &p : procedures)
    if (p.id == id)
      return &p;
  return nullptr;
}

std::vector<std::string> Knowledge::procedureNames(const std::string &rules) const {
  std::vector<std::string> names;
  for (const Procedure &p : procedures)
    if (p.rules.contains(rules))
      names.push_back(p.id);
  return names;
}

Status addKnowledge(Knowledge &knowledge, std::string_view text, const std::string &file) {
  if (Status s = KnowledgeReader(knowledge, file).read(text); !s)
    return s;
  for (const Property &p : knowledge.properties) {
    std::optional<size_t> needed = measuredVariables(p.measure);
    if (!needed)
      return badInput(1251, "there is no measurement '" + p.measure + "'",
                      "property '" + p.id + "' needs it", "`measured by:`", {file, 0, 0});
    if (p.parameters.size() < *needed)
      return badInput(1251, "the measurement '" + p.measure + "' is about more variables",
                      "it needs " + std::to_string(*needed) + ", and property '" + p.id + "' has " +
                          std::to_string(p.parameters.size()),
                      "`property " + p.id + " x y`", {file, 0, 0});
  }
  return {};
}

const Knowledge &standardKnowledge() {
  static const Knowledge knowledge = [] {
    Knowledge k;
    for (const auto &[name, text] : knowledgeTexts)
      if (Status s = addKnowledge(k, text, std::string(name)); !s) {
        std::fprintf(stderr, "%s\n", s.error().str().c_str());
        std::abort(); // a test reads all of it
      }
    return k;
  }();
  return knowledge;
}

Status addKnowledgeFolder(Knowledge &knowledge, const std::string &folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    files.push_back(entry.path());
  if (error)
    return badInput(1253, "cannot read the folder " + folder, error.message());
  std::sort(files.begin(), files.end());
  for (const char *kind : {".properties", ".procedure"})
    for (const auto &path : files) {
      if (path.extension() != kind)
        continue;
      std::ifstream in(path, std::ios::binary);
      std::string text((std::istreambuf_iterator<char>(in)), {});
      if (!in.is_open())
        return badInput(1253, "cannot read " + path.string());
      if (Status s = addKnowledge(knowledge, text, path.string()); !s)
        return s;
    }
  return {};
}

} // namespace imbrex::stats
