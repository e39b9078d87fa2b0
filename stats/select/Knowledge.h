// What is known about statistical procedures, as data: properties, and for each procedure what it
// requires under each set of rules. The standard knowledge is in knowledge/*.procedure and
// knowledge/standard.properties; a folder of files like these adds to it.
#pragma once

#include "support/Result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::stats {

/// `implies: not categorical v`
struct Implication {
  bool holds = true;
  std::string property;
  std::vector<std::string> parameters; // of the implying property
};

struct Property {
  std::string id;
  std::vector<std::string> parameters; // a first one with '*' stands for several variables
  std::string says, otherwise;         // with {parameter}
  int cost = 0;        // 0: a fact of the declaration, 1: counting, more: a statistical test
  std::string measure; // which measurement decides it; usually the id
  std::vector<Implication> implications;

  bool variadic() const { return !parameters.empty() && parameters[0].starts_with('*'); }
};

/// `equal_variance x y`. Roles: x, the only explanatory variable; y, the only explained one; first
/// and second of the hypothesis, the explained one last; each explanatory variable by itself; all
/// of them together.
struct Requirement {
  std::string property;
  std::vector<std::string> roles;
};

struct Procedure {
  std::string id, name, answers, family;
  std::string computes;  // which computation runs it; usually the id
  int prefer = 100;      // among valid ones the least is chosen
  bool fallback = false; // only when no other procedure is valid
  std::map<std::string, std::vector<Requirement>> rules; // by name of the rule set
};

struct Knowledge {
  std::vector<Property> properties;
  std::vector<Procedure> procedures; // by prefer, then id

  const Property *property(std::string_view id) const;
  const Procedure *procedure(std::string_view id) const;
  std::vector<std::string> procedureNames(const std::string &rules) const;
};

/// The knowledge that is built in.
const Knowledge &standardKnowledge();

/// Adds the statements of one file. E1250 for text that does not parse, E1251 for a property, role
/// or measurement that does not exist, E1252 for an id that exists already. A file may declare
/// properties and procedures in any number.
Status addKnowledge(Knowledge &knowledge, std::string_view text, const std::string &file);

/// Adds each *.properties and then each *.procedure of a folder. E1253 when it cannot be read.
Status addKnowledgeFolder(Knowledge &knowledge, const std::string &folder);

} // namespace imbrex::stats
