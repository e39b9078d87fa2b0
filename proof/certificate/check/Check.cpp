#include "proof/certificate/check/Check.h"

#include "proof/certificate/check/Checker.h"

#include <algorithm>
#include <utility>

namespace imbrex::check {

/// claim bags/sets A B T: the theorem says that both queries have as many rows, or both some.
void Checker::claim(Line &line) {
  compared = line.next();
  Id first = term(line), second = term(line), none = terms.number(0);
  must(terms.isNumeric(first) && terms.isNumeric(second), "queries are numbers of rows");
  must(compared == "bags" || compared == "sets", "there is no such comparison");
  Id goal = compared == "bags" ? terms.equal(first, second)
                               : terms.equal(terms.less(none, first), terms.less(none, second));
  must(theorem(line) == goal, "the theorem is not the claim");
  claimed = {first, second};
  isProven = true;
}

void Checker::entry(const std::string &kind, Line &line, Outcome &outcome) {
  static const std::map<std::string, Id (Checker::*)(Line &, uint32_t)> rules{
      {"axiom", &Checker::readAxiom},     {"count", &Checker::count},
      {"instance", &Checker::instance},   {"introduce", &Checker::introduce},
      {"eliminate", &Checker::eliminate}, {"add", &Checker::add},
      {"nest", &Checker::nest},           {"point", &Checker::point},
      {"rename", &Checker::rename},       {"positive", &Checker::positive},
      {"collect", &Checker::collect},     {"member", &Checker::member},
      {"extreme", &Checker::extreme},     {"ground", &Checker::ground},
      {"refutation", &Checker::ground}};
  must(!isProven, "something follows the claim");
  Line seen = line;
  seen.restart();
  ++outcome.steps;
  Id made = Observer::NoTheorem;
  if (kind == "claim") {
    claim(line);
  } else {
    auto it = rules.find(kind);
    must(it != rules.end(), "there is no such rule");
    uint32_t number = line.count();
    made = (this->*it->second)(line, number);
    must(theorems.emplace(number, made).second, "a theorem has the number of another one");
  }
  must(line.atEnd(), "the line is too long");
  if (observer)
    observer->step(terms, ids, seen, made);
}

/// Reads what is to be claimed into the same terms, numbered anew, and compares.
void Checker::mustBeStated(std::string_view statement) {
  auto assumed = std::exchange(axioms, {});
  std::set<Name> countable;
  auto [first, second] = claimed;
  ids.clear();
  rest = statement;
  line();
  for (Line next = line(); !next.atEnd(); next = line()) {
    std::string kind = next.next();
    if (kind == "count") {
      countable.insert(terms.name(next.next()));
    } else if (kind == "axiom") {
      uint32_t number = next.count();
      readAxiom(next, number);
    } else {
      must(kind == "claim" && next.next() == compared, "the certificate compares otherwise");
      Id a = term(next), b = term(next);
      must(a == first && b == second, "the certificate is about other queries");
    }
  }
  must(std::includes(countable.begin(), countable.end(), counts.begin(), counts.end()),
       "a function is taken for a multiplicity");
  for (const auto &[number, axiom] : assumed) {
    auto isStated = [&](const auto &entry) {
      const auto &[names, formula] = entry.second;
      std::map<Name, std::vector<Id>> map;
      if (names.size() != axiom.first.size())
        return false;
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i].shape != axiom.first[i].shape)
          return false;
        map[names[i].name] = terms.components(axiom.first[i]);
      }
      return terms.substitute(formula, map) == axiom.second;
    };
    must(std::any_of(axioms.begin(), axioms.end(), isStated),
         "a property of the tables is assumed that the schema does not have");
  }
}

void Checker::run(std::string_view text, std::string_view statement, Outcome &outcome) {
  rest = text;
  try {
    Line header = line();
    outcome.isReadable = !header.atEnd() && header.next() == "imbrex-sql-certificate";
    must(outcome.isReadable && header.next() == "2", "this is no certificate of version 2");
    for (Line next = line(); !next.atEnd(); next = line()) {
      std::string kind = next.next();
      if (kind == "translation")
        outcome.translation = next.next();
      else
        entry(kind, next, outcome);
    }
    must(isProven, "there is no claim");
    if (!statement.empty())
      mustBeStated(statement);
    outcome.accepted = true;
  } catch (const Rejection &rejection) {
    outcome.why = (isProven ? "" : "line " + std::to_string(lineNumber) + ": ") + rejection.why;
  }
}

Outcome check(std::string_view certificate, std::string_view statement, Observer *observer) {
  Outcome outcome;
  Checker(observer).run(certificate, statement, outcome);
  return outcome;
}

} // namespace imbrex::check
