// Lines, tokens and terms of certificates (docs/reference/sql-certificates.md).
#pragma once

#include "proof/certificate/check/Terms.h"

#include <string_view>

namespace imbrex::check {

/// One line, read token by token. A text's token starts with a quote and has no second one.
class Line {
public:
  Line(std::string_view text, size_t number);
  std::string next();
  uint32_t count(); // a number below ten million
  bool atEnd() const { return at == tokens.size(); }
  void restart() { at = 0; }
  size_t number;

private:
  std::vector<std::string> tokens;
  size_t at = 0;
};

/// Reads terms as they come; throws Rejection.
class Reader {
public:
  virtual ~Reader() = default;

protected:
  /// The next line that is no term, comment or blank; an empty one at the end.
  Line line();
  virtual void readTerm(Line &line);
  Id term(Line &line);
  std::vector<Id> list(Line &line);
  Sort sort(Line &line);
  Name quoted(Line &line); // a text
  Name variableName(Line &line); // as it is written: it goes into scripts for other programs
  Variable variable(Line &line);
  std::vector<Variable> variables(Line &line);

  void must(bool condition, const char *why) const {
    if (!condition)
      throw Rejection{why};
  }

  Terms terms;
  std::string_view rest;
  size_t lineNumber = 0;
  std::map<uint32_t, Id> ids;
  uint32_t lastTerm = 0; // the number that was used last

private:
  Id termOf(const std::string &op, Line &line);
};

} // namespace imbrex::check
