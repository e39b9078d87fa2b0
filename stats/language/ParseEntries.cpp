// Entries that the text form and JSON share: settings, keys of data, assumptions.
#include "stats/language/Keys.h"
#include "stats/language/LineReader.h"

#include <algorithm>

namespace imbrex::stats {
namespace {

void setReshape(Study &study, LineReader &in) {
  ReshapeSpec spec;
  spec.levels = in.name("the new column of categories", {"from", "into"});
  if (!in.takeWord("from"))
    in.fail(1231, "'from' is missing", "", "reshape: LEVELS from A, B into VALUES");
  spec.columns = in.names("a column", {"into"});
  if (!in.takeWord("into"))
    in.fail(1231, "'into' is missing", "", "reshape: LEVELS from A, B into VALUES");
  spec.values = in.name("the new column of values");
  study.data.reshape = std::move(spec);
}

void setKey(DataSource &data, LineReader &in) {
  if (in.nextIsWord("row")) {
    LineReader ahead = in;
    ahead.word("");
    if (ahead.takeWord("order")) {
      data.rowOrder = true;
      in = ahead;
      return;
    }
  }
  data.key = in.name("a column");
}

/// A level of significance: inside (0, 1).
double level(LineReader &in, const std::string &what) {
  Place where = in.place();
  double value = in.number(what);
  if (in.ok() && !(value > 0 && value < 1))
    in.failAt(where, 1236, what + " must lie between 0 and 1", "", "0.05");
  return value;
}

/// What cannot be part of a number.
bool isMark(char c) { return std::string_view(".,' _").find(c) != std::string_view::npos; }

} // namespace

char delimiterOf(LineReader &in, const std::string &what) {
  Place where = in.place();
  std::string text = in.name(what);
  if (text == "tab")
    return '\t';
  if (text == "comma")
    return ',';
  if (text == "semicolon")
    return ';';
  if (text == "blank")
    return ' ';
  if (text.size() != 1 && in.ok())
    in.failAt(where, 1236, what + " is one character", "'" + text + "' stands here",
              "\",\", \";\" or tab");
  return text.empty() ? ',' : text[0];
}

void setDataKey(Study &study, const std::string &key, LineReader &in) {
  DataSource &data = study.data;
  Place where = in.place();
  if (key == "file")
    data.file = in.name("the file");
  else if (key == "key")
    setKey(data, in);
  else if (key == "table")
    data.table = in.name("a table");
  else if (key == "query")
    data.query = in.name("a query");
  else if (key == "encoding")
    data.encoding = in.name("an encoding");
  else if (key == "na")
    data.missingWords = in.names("a word");
  else if (key == "reshape")
    setReshape(study, in);
  else if (key == "delimiter")
    data.delimiter = delimiterOf(in, "the delimiter");
  else if (key == "thousands")
    data.thousands = delimiterOf(in, "the thousands mark");
  else
    data.decimal = delimiterOf(in, "the decimal mark");
  if (key == "delimiter" && data.delimiter && (*data.delimiter == '"' || *data.delimiter == '\n'))
    in.failAt(where, 1236, "this character cannot be the delimiter");
  if (key == "thousands" && data.thousands && !isMark(*data.thousands))
    in.failAt(where, 1236, "this character cannot be the thousands mark", "",
              "a comma, a point, an apostrophe or a blank");
  if (data.decimal && *data.decimal != '.' && *data.decimal != ',')
    in.failAt(where, 1236, "the decimal mark is a point or a comma");
}

/// `normal: a, b` is an assumption each; `groups normal: y by x` one; `[y, x]` pairs as in the
/// published programs.
void addAssumption(Study &study, const std::string &key, LineReader &in) {
  int arity = arityOf(key);
  do {
    Assumption a{propertyOf(key), {}, in.place()};
    if (in.take("[")) {
      a.variables = in.names("a variable");
      in.expect("]", "the variables");
    } else {
      a.variables.push_back(in.name("a variable", {"by"}));
      if (arity != 1) {
        if (in.takeWord("by"))
          a.variables.insert(a.variables.begin(), in.name("a variable"));
        else
          in.fail(1231, "'by' is missing", "'" + key + "' is about groups", key + ": Y by X");
        while (arity < 0 && in.take(","))
          a.variables.insert(a.variables.end() - 1, in.name("a variable"));
      }
    }
    study.assumptions.push_back(std::move(a));
  } while (in.ok() && in.take(","));
}

void setSetting(Study &study, const std::string &key, LineReader &in) {
  Place where = in.place();
  if (key == "alpha") {
    study.alpha = level(in, "alpha");
  } else if (key == "threshold") {
    study.threshold = level(in, "the threshold of properties");
  } else if (key == "mode") {
    std::string mode = in.name("a mode");
    study.mode = mode == "relaxed" ? Mode::Relaxed : Mode::Strict;
    if (in.ok() && mode != "relaxed" && mode != "strict")
      in.failAt(where, 1236, "there is no mode '" + mode + "'", "", "'strict' or 'relaxed'");
  } else if (key == "rules") {
    study.rules = in.name("a set of rules");
    if (in.ok() && study.rules != "default" && study.rules != "tea-2019")
      in.failAt(where, 1236, "there is no set of rules '" + study.rules + "'", "",
                "'default' or 'tea-2019'");
  } else {
    study.conventions = in.name("conventions");
    bool known = study.conventions == "R-4.6" || study.conventions == "R-4.2" ||
                 study.conventions == "SciPy";
    if (in.ok() && !known)
      in.failAt(where, 1236, "there are no conventions '" + study.conventions + "'", "",
                "'R-4.6', 'R-4.2' or 'SciPy'");
  }
}

} // namespace imbrex::stats
