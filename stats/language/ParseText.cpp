// The .tea form: statements at the start of a line, entries of their blocks indented.
#include "stats/data/Encoding.h"
#include "stats/language/Keys.h"
#include "stats/language/LineReader.h"
#include "stats/language/ReadStudy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

namespace imbrex::stats {
namespace {

class TextReader {
public:
  TextReader(Study &study, std::vector<Error> &errors) : study(study), errors(errors) {}

  void read(const std::vector<Line> &lines) {
    for (const Line &line : lines) {
      LineReader in(line.tokens, study.file);
      if (line.indented)
        entry(in);
      else
        statement(in);
      in.expectEnd();
      if (!in.ok())
        errors.push_back(in.takeError());
      if (errors.size() >= mostErrors)
        break;
    }
    if (!known && unknown > 1)
      errors = {badInput(1232, study.file + " is no study",
                         "it holds none of the statements data, variables, design, hypothesis",
                         "a study that names the data: `data FILE`", {study.file, 1, 1})};
  }

private:
  void statement(LineReader &in) {
    Place place = in.place();
    block.clear();
    std::string first = in.word("a statement");
    std::string key = canonicalKey(KeyGroup::Statement, first);
    if (!in.ok())
      return;
    if (key.empty()) {
      in.failAt(place, 1232, unknownKey(KeyGroup::Statement, first, {}).what, "",
                unknownKey(KeyGroup::Statement, first, {}).remedy);
      block = "?"; // its entries are not worth a message each
      ++unknown;
      return;
    }
    known = true;
    if (key != "hypothesis" && !seen.insert(key).second)
      in.failAt(place, 1234, "'" + key + "' stands twice", "", "one of them");
    dispatch(key, place, in);
  }

  void dispatch(const std::string &key, Place place, LineReader &in) {
    if (key == "data") {
      study.data.place = place;
      if (!in.done())
        study.data.file = in.name("the file");
      block = key;
    } else if (key == "variables" || key == "assume") {
      in.take(":");
      block = key;
    } else if (key == "design") {
      readDesign(place, in);
      block = key;
    } else if (key == "hypothesis") {
      if (!in.done())
        study.hypotheses.push_back(readHypothesis(in));
      block = key;
    } else {
      in.take(":");
      setSetting(study, key, in);
    }
  }

  void readDesign(Place place, LineReader &in) {
    study.design.place = place;
    study.design.declared = true;
    Place at = in.place();
    std::string kind = in.name("'experiment' or 'observational'");
    if (kind == "experiment")
      study.design.kind = StudyKind::Experiment;
    else if (kind == "observational" || kind == "observational study")
      study.design.kind = StudyKind::Observational;
    else
      in.failAt(at, 1236, "there is no design '" + kind + "'", "",
                "'experiment' or 'observational'");
  }

  void entry(LineReader &in) {
    if (block == "?") {
      in.skipRest();
      return;
    }
    if (block.empty()) {
      in.fail(1231, "an indented line belongs to no block",
              "the statement before it has no entries", "no blanks at the start of the line");
      return;
    }
    if (block == "hypothesis") {
      study.hypotheses.push_back(readHypothesis(in));
      return;
    }
    Place place = in.place();
    std::string key = in.name(block == "variables" ? "the name of a variable" : "a key");
    in.expect(":", "'" + key + "'");
    if (!in.ok())
      return;
    if (block == "variables")
      readVariable(key, place, in);
    else if (block == "data")
      withKey(KeyGroup::Data, key, place, in,
              [&](const std::string &known) { setDataKey(study, known, in); });
    else if (block == "assume")
      withKey(KeyGroup::Assumption, key, place, in,
              [&](const std::string &known) { addAssumption(study, known, in); });
    else
      withKey(KeyGroup::Design, key, place, in,
              [&](const std::string &known) { readRole(known, place, in); });
  }

  template <class Use>
  void withKey(KeyGroup group, const std::string &word, Place place, LineReader &in, Use use) {
    std::string key = canonicalKey(group, word);
    if (key.empty()) {
      Error e = unknownKey(group, word, {});
      in.failAt(place, e.code, e.what, e.because, e.remedy);
    } else {
      use(key);
    }
  }

  void readVariable(const std::string &name, Place place, LineReader &in) {
    Variable v;
    v.name = name;
    v.place = place;
    Place at = in.place();
    std::string word = in.name("the data type", {"in", "others"});
    std::string type = canonicalKey(KeyGroup::Measure, word);
    if (in.ok() && type.empty()) {
      Error e = unknownKey(KeyGroup::Measure, word, {});
      in.failAt(at, e.code, e.what, e.because, e.remedy);
      return;
    }
    if (!in.ok())
      return;
    v.measure = measureOf(type);
    if (v.categorical() && in.take("["))
      readCategories(v, in);
    else if (v.continuous() && (in.takeWord("in") || in.nextIs("[")))
      in.range(v.low, v.high);
    if (in.takeWord("others")) {
      if (in.takeWord("missing"))
        v.others = ColumnSpec::Others::Missing;
      else
        in.fail(1231, "'missing' is expected after 'others'");
    }
    study.variables.push_back(std::move(v));
  }

  void readCategories(Variable &v, LineReader &in) {
    while (in.ok() && !in.nextIs("]")) {
      v.categories.push_back(in.name("a category"));
      if (in.nextIs(">"))
        in.fail(1236, "categories stand from lowest to highest", "", "'<', or commas");
      if (!in.take(",") && !(v.measure == Measure::Ordinal && in.take("<")))
        break;
    }
    in.expect("]", "the categories");
  }

  void readRole(const std::string &key, Place place, LineReader &in) {
    Design &design = study.design;
    if (key == "study") {
      readDesign(design.place, in);
      return;
    }
    if (in.done() && in.ok()) // `outcome:` alone: nothing is explained
      return;
    std::vector<std::string> names = in.names("a variable");
    bool experiment = key == "independent" || key == "dependent";
    bool observational = key == "contributor" || key == "outcome";
    if ((experiment && design.kind == StudyKind::Observational) ||
        (observational && design.kind == StudyKind::Experiment))
      in.failAt(
          place, 1234,
          std::string(experiment ? "an observational study has no '" : "an experiment has no '") +
              key + "' variables",
          "",
          std::string("'") +
              (key == "independent"   ? "contributor"
               : key == "dependent"   ? "outcome"
               : key == "contributor" ? "independent"
                                      : "dependent") +
              "'");
    std::vector<std::string> &list = key == "independent" || key == "contributor"
                                         ? design.explanatory
                                     : key == "dependent" || key == "outcome" ? design.explained
                                     : key == "between"                       ? design.between
                                                                              : design.within;
    list.insert(list.end(), names.begin(), names.end());
  }

  Study &study;
  std::vector<Error> &errors;
  std::string block;
  std::set<std::string> seen;
  bool known = false; // any statement
  size_t unknown = 0; // statements
};

void sortByPlace(std::vector<Error> &errors) {
  std::multimap<std::pair<uint32_t, uint32_t>, Error> sorted;
  for (Error &e : errors)
    sorted.emplace(std::pair(e.where.line, e.where.column), std::move(e));
  errors.clear();
  for (auto &[place, e] : sorted)
    errors.push_back(std::move(e));
}

} // namespace

ReadStudy parseStudy(std::string_view bytes, const std::string &file) {
  ReadStudy result;
  result.study.file = file;
  Result<DecodedText> decoded = decodeText(std::string(bytes), "");
  if (!decoded) {
    result.errors.push_back(badInput(1230, "cannot read the study: it is no text",
                                     decoded.error().what, "a file in UTF-8", {file, 0, 0}));
    return result;
  }
  std::string &text = decoded->text;
  if (text.find('\n') == std::string::npos) // line ends of old Macs
    std::replace(text.begin(), text.end(), '\r', '\n');
  size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && text[start] == '{') {
    readJsonStudy(text, result.study, result.errors);
  } else {
    LexedText lexed = lexTea(text, file);
    result.errors = std::move(lexed.errors);
    TextReader(result.study, result.errors).read(lexed.lines);
  }
  // Consequences of lines that could not be read would only hide their cause.
  if (result.errors.empty())
    result.errors = checkStudy(result.study);
  sortByPlace(result.errors);
  return result;
}

ReadStudy readStudyFile(const std::string &path) {
  constexpr size_t enough = 4 << 20; // more than any study, also in UTF-16
  std::ifstream in(path, std::ios::binary);
  std::string text(enough, '\0');
  in.read(text.data(), static_cast<std::streamsize>(enough));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (!in.is_open() || in.bad()) {
    ReadStudy failed;
    failed.study.file = path;
    failed.errors.push_back(
        badInput(1230, "cannot read the study " + path, errno ? std::strerror(errno) : ""));
    return failed;
  }
  return parseStudy(text, path);
}

} // namespace imbrex::stats
