// Studies from text: the .tea form, or the same as JSON (docs/reference/tea-language.md).
#pragma once

#include "stats/language/Study.h"

namespace imbrex::stats {

/// All errors at once, those of the text before those of its meaning (checkStudy). A study with
/// errors is only good for more messages.
struct ReadStudy {
  Study study;
  std::vector<Error> errors;

  bool ok() const { return errors.empty(); }
};

/// Reading ends after so many errors.
constexpr size_t mostErrors = 1000;

/// JSON where the first character is a brace; UTF-8, UTF-16 with a byte order mark, or
/// Windows-1252. `file` is for messages. Linear.
ReadStudy parseStudy(std::string_view text, const std::string &file);

/// E1230 when the file cannot be read. Sets study.file.
ReadStudy readStudyFile(const std::string &path);

/// One hypothesis alone, such as "Prob by So: 1 > 0"; what `hypothesis` takes. Names are not
/// checked.
Result<Hypothesis> parseHypothesis(std::string_view text, const std::string &file = {},
                                   Place place = {});

} // namespace imbrex::stats
