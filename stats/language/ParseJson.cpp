// The same study as JSON. Keys of the published programs are understood, too.
#include "stats/language/Keys.h"
#include "stats/language/LineReader.h"
#include "stats/language/ReadStudy.h"
#include "support/json/EqualKeys.h"
#include "support/json/Json.h"

namespace imbrex::stats {
namespace {

class JsonReader {
public:
  JsonReader(Study &study, std::vector<Error> &errors) : study(study), errors(errors) {}

  void read(const Json &root) {
    for (const std::string &word : root.keys()) {
      if (errors.size() >= mostErrors)
        return;
      std::string key =
          word == "hypotheses" ? "hypothesis" : canonicalKey(KeyGroup::Statement, word);
      Json value = key.empty() ? Json() : root.at(word); // a look through all keys
      if (key.empty())
        errors.push_back(unknownKey(KeyGroup::Statement, word, {study.file, 0, 0}));
      else if (key == "data")
        readData(value);
      else if (key == "variables")
        readVariables(value);
      else if (key == "design")
        readDesign(value);
      else if (key == "assume")
        readAssumptions(value);
      else if (key == "hypothesis")
        readHypotheses(value);
      else
        entry(value, word, [&](LineReader &in) { setSetting(study, key, in); });
    }
  }

private:
  void error(uint16_t code, const std::string &path, std::string what, std::string remedy = {}) {
    errors.push_back(
        badInput(code, std::move(what), "at " + path, std::move(remedy), {study.file, 0, 0}));
  }

  std::vector<std::string> texts(const Json &value) {
    std::vector<std::string> list;
    if (value.isArray())
      for (const Json &item : value.items())
        list.push_back(item.toText());
    else if (!value.isNull() && !value.toText().empty())
      list.push_back(value.toText());
    return list;
  }

  /// The value as the tokens of a line, so that text and JSON share their readers.
  template <class Use> void entry(const Json &value, const std::string &path, Use use) {
    std::vector<Token> tokens;
    for (const std::string &text : texts(value)) {
      if (!tokens.empty())
        tokens.push_back({TokenKind::Symbol, ","});
      tokens.push_back({TokenKind::Quoted, text});
    }
    useTokens(tokens, path, use);
  }

  template <class Use>
  void useTokens(const std::vector<Token> &tokens, const std::string &path, Use use) {
    LineReader in(tokens, study.file);
    use(in);
    in.expectEnd();
    if (in.ok())
      return;
    Error e = in.takeError();
    e.because += (e.because.empty() ? "at " : ", at ") + path;
    errors.push_back(std::move(e));
  }

  /// Of another kind, all that it should hold would be left out silently.
  bool isObject(const Json &value, const std::string &path) {
    if (!value.isObject())
      error(1238, path, "this is no object", "{\"key\": value}");
    return value.isObject();
  }

  void readData(const Json &value) {
    if (value.isText()) {
      study.data.file = value.toText();
      return;
    }
    if (!isObject(value, "data"))
      return;
    for (const std::string &word : value.keys()) {
      if (errors.size() >= mostErrors)
        return;
      std::string key = canonicalKey(KeyGroup::Data, word);
      Json inner = key.empty() ? Json() : value.at(word);
      if (key.empty()) {
        errors.push_back(unknownKey(KeyGroup::Data, word, {study.file, 0, 0}));
      } else if (key == "reshape" && inner.isObject()) {
        study.data.reshape = ReshapeSpec{texts(inner.at("from")), inner.at("levels").toText(),
                                         inner.at("into").toText(), ""};
      } else if (key == "key" && inner.toText() == "row order") {
        study.data.rowOrder = true;
      } else {
        entry(inner, "data." + word, [&](LineReader &in) { setDataKey(study, key, in); });
      }
    }
  }

  void readVariables(const Json &value) {
    size_t index = 0;
    for (const Json &item : value.items())
      readVariable(item, "variables[" + std::to_string(index++) + "]");
    if (!value.isArray())
      error(1238, "variables", "the variables are no list");
  }

  void readVariable(const Json &item, const std::string &path) {
    if (!isObject(item, path))
      return;
    Variable v;
    bool typed = false;
    for (const std::string &word : item.keys()) {
      if (errors.size() >= mostErrors)
        return;
      std::string key = canonicalKey(KeyGroup::Variable, word);
      Json value = key.empty() ? Json() : item.at(word);
      if (key.empty()) {
        errors.push_back(unknownKey(KeyGroup::Variable, word, {study.file, 0, 0}));
      } else if (key == "name") {
        v.name = value.toText();
      } else if (key == "type") {
        std::string type = canonicalKey(KeyGroup::Measure, value.toText());
        if (type.empty())
          errors.push_back(unknownKey(KeyGroup::Measure, value.toText(), {study.file, 0, 0}));
        else
          v.measure = measureOf(type);
        typed = true;
      } else if (key == "categories") {
        v.categories = texts(value);
        for (const Json &category : value.items())
          if (!category.isText() && !category.isNumber() && !category.isBool())
            error(1238, path + ".categories", "a category is no text and no number");
      } else if (key == "range") {
        std::vector<Json> ends = value.items();
        if (ends.size() != 2 || !ends[0].isNumber() || !ends[1].isNumber()) {
          error(1236, path + ".range", "the range is no pair of numbers", "[low, high]");
          continue;
        }
        v.low = ends[0].toDouble();
        v.high = ends[1].toDouble();
      } else if (value.toText() == "missing") {
        v.others = ColumnSpec::Others::Missing;
      } else {
        error(1236, path + ".others", "'others' can only be 'missing'");
      }
    }
    if (v.name.empty() || !typed)
      error(1233, path, v.name.empty() ? "the variable has no name" : "the variable has no type",
            "\"name\" and \"type\"");
    if (v.continuous() && !v.categories.empty())
      error(1234, path, "'" + v.name + "' has numbers and cannot have categories", "\"range\"");
    study.variables.push_back(std::move(v));
  }

  void readDesign(const Json &value) {
    if (!isObject(value, "design"))
      return;
    Design &d = study.design;
    d.declared = true;
    bool experiment = false, observational = false;
    for (const std::string &word : value.keys()) {
      if (errors.size() >= mostErrors)
        return;
      std::string key = canonicalKey(KeyGroup::Design, word);
      if (key.empty()) {
        errors.push_back(unknownKey(KeyGroup::Design, word, {study.file, 0, 0}));
        continue;
      }
      std::vector<std::string> names = texts(value.at(word));
      if (key == "study") {
        std::string kind = value.at(word).toText();
        experiment |= kind == "experiment";
        observational |= kind == "observational" || kind == "observational study";
        if (kind != "experiment" && kind != "observational" && kind != "observational study")
          error(1236, "design.study", "there is no design '" + kind + "'",
                "\"experiment\" or \"observational\"");
        continue;
      }
      experiment |= key == "independent" || key == "dependent";
      observational |= key == "contributor" || key == "outcome";
      std::vector<std::string> &list = key == "independent" || key == "contributor" ? d.explanatory
                                       : key == "dependent" || key == "outcome"     ? d.explained
                                       : key == "between"                           ? d.between
                                                                                    : d.within;
      list.insert(list.end(), names.begin(), names.end());
    }
    d.kind = experiment ? StudyKind::Experiment : StudyKind::Observational;
    if (experiment && observational)
      error(1234, "design", "the design is both an experiment and an observational study",
            "independent and dependent, or contributor and outcome");
  }

  void readAssumptions(const Json &value) {
    if (!isObject(value, "assume"))
      return;
    bool alphaSeen = false;
    for (const std::string &word : value.keys()) {
      if (errors.size() >= mostErrors)
        return;
      if (word == "alpha" || word == "Type I (False Positive) Error Rate") {
        double before = study.alpha;
        entry(value.at(word), word, [&](LineReader &in) { setSetting(study, "alpha", in); });
        if (alphaSeen && before != study.alpha)
          error(1234, word, "alpha has two values");
        alphaSeen = true;
        continue;
      }
      std::string key = canonicalKey(KeyGroup::Assumption, word);
      if (key.empty()) {
        errors.push_back(unknownKey(KeyGroup::Assumption, word, {study.file, 0, 0}));
        continue;
      }
      Json list = value.at(word);
      if (!list.isArray() && !list.isText())
        error(1238, "assume." + word, "the assumption is no list of variables");
      std::vector<Json> items = list.isText() ? std::vector<Json>{list} : list.items();
      for (const Json &item : items)
        readAssumption(key, texts(item));
    }
  }

  void readAssumption(const std::string &key, const std::vector<std::string> &names) {
    std::vector<Token> tokens{{TokenKind::Symbol, "["}};
    for (const std::string &name : names) {
      if (tokens.size() > 1)
        tokens.push_back({TokenKind::Symbol, ","});
      tokens.push_back({TokenKind::Quoted, name});
    }
    tokens.push_back({TokenKind::Symbol, "]"});
    useTokens(tokens, "assume." + key, [&](LineReader &in) { addAssumption(study, key, in); });
  }

  void readHypotheses(const Json &value) {
    std::vector<Json> items = value.isArray() ? value.items() : std::vector<Json>{value};
    for (size_t i = 0; i < items.size(); ++i) {
      std::string text = items[i].toText();
      if (items[i].isObject())
        text = publishedForm(items[i]);
      Result<Hypothesis> h = parseHypothesis(text, study.file);
      if (h) {
        study.hypotheses.push_back(h.take());
        continue;
      }
      Error e = h.takeError();
      e.where = {study.file, 0, 0};
      e.because +=
          (e.because.empty() ? "at " : ", at ") + ("hypotheses[" + std::to_string(i) + "]");
      errors.push_back(std::move(e));
    }
  }

  /// `{"variables": ["So", "Prob"], "prediction": ["So: 1 > 0"]}`
  std::string publishedForm(const Json &item) {
    std::string list, predictions;
    for (const std::string &word : item.keys())
      if (errors.size() < mostErrors && canonicalKey(KeyGroup::Hypothesis, word).empty())
        errors.push_back(unknownKey(KeyGroup::Hypothesis, word, {study.file, 0, 0}));
    for (const std::string &name : texts(item.at("variables")))
      list += (list.empty() ? "" : ", ") + writtenName(name);
    for (const std::string &text :
         texts(item.has("predictions") ? item.at("predictions") : item.at("prediction"))) {
      if (text.find('~') != std::string::npos)
        return text;
      // The first names the variable; the others repeat it.
      predictions += predictions.empty() ? text : ", " + text.substr(text.find(':') + 1);
    }
    return predictions.empty() ? list : list + ": " + predictions;
  }

  Study &study;
  std::vector<Error> &errors;
};

} // namespace

void readJsonStudy(std::string_view text, Study &study, std::vector<Error> &errors) {
  if (text.size() > (1 << 20)) {
    errors.push_back(
        badInput(1239, "the study is longer than 1 MiB", "", "a smaller one", {study.file, 0, 0}));
    return;
  }
  Result<Json> root = Json::parse(text, study.file);
  if (!root)
    errors.push_back(root.takeError());
  else if (std::string key = equalKey(text); !key.empty())
    errors.push_back(badInput(1234, "an object has the key '" + key + "' twice", "", "one of them",
                              {study.file, 0, 0}));
  else
    JsonReader(study, errors).read(*root);
}

} // namespace imbrex::stats
