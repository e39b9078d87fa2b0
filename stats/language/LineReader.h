// Takes the tokens of one line apart; the first problem becomes the line's error, and nothing after
// it counts.
#pragma once

#include "stats/language/Lexer.h"
#include "stats/language/Study.h"

#include <initializer_list>

namespace imbrex::stats {

class LineReader {
public:
  LineReader(const std::vector<Token> &tokens, const std::string &file)
      : tokens(&tokens), file(&file) {}

  bool done() const { return failed || at >= tokens->size(); }
  bool ok() const { return !failed; }
  Error takeError() { return std::move(error); }

  Place place() const;
  FileLocation here() const;
  bool nextIs(std::string_view symbol) const { return !done() && (*tokens)[at].is(symbol); }
  bool nextIsWord(std::string_view word) const { return !done() && (*tokens)[at].word(word); }
  bool take(std::string_view symbol);
  bool takeWord(std::string_view word);
  bool expect(std::string_view symbol, const std::string &after);
  /// Words up to a symbol, the end or one of `stops`, joined by blanks; or one quoted text.
  std::string name(const std::string &what, std::initializer_list<std::string_view> stops = {});
  /// One word.
  std::string word(const std::string &what);
  void skipRest() { at = tokens->size(); }
  /// `a, b, c`
  std::vector<std::string> names(const std::string &what,
                                 std::initializer_list<std::string_view> stops = {});
  double number(const std::string &what);
  /// `[low, high]`
  void range(std::optional<double> &low, std::optional<double> &high);
  void expectEnd();
  void fail(uint16_t code, std::string what, std::string because = {}, std::string remedy = {});
  /// As fail(), at a place that was read already.
  void failAt(Place where, uint16_t code, std::string what, std::string because = {},
              std::string remedy = {});
  const std::string &fileName() const { return *file; }

private:
  std::string describeNext() const;

  const std::vector<Token> *tokens;
  const std::string *file;
  size_t at = 0;
  bool failed = false;
  Error error;
};

/// Reads what follows `hypothesis`.
Hypothesis readHypothesis(LineReader &in);

/// Reads a study that is a JSON text.
void readJsonStudy(std::string_view text, Study &study, std::vector<Error> &errors);
/// One entry of a block, in text and in JSON alike.
void setDataKey(Study &study, const std::string &key, LineReader &in);
void addAssumption(Study &study, const std::string &key, LineReader &in);
char delimiterOf(LineReader &in, const std::string &what);
void setSetting(Study &study, const std::string &key, LineReader &in);

} // namespace imbrex::stats
