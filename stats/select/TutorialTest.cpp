// The published tutorials: which procedures are valid on their data, under both sets of rules. The
// data files are not part of the project: IMBREX_BENCH_DATA names the folder that holds tea/*.csv.
#include "stats/language/LoadData.h"
#include "stats/language/ReadStudy.h"
#include "stats/select/Selection.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace imbrex;
using namespace imbrex::stats;

namespace {

const std::string folder = std::string(STATS_SELECT_DIR) + "/tutorials/";

struct Expectation {
  std::string study, rules;
  size_t hypothesis = 0;
  std::vector<std::string> valid; // sorted
};

std::vector<Expectation> expectations() {
  std::vector<Expectation> list;
  std::ifstream in(folder + "valid-sets.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    Expectation e;
    std::istringstream words(line);
    words >> e.study >> e.hypothesis >> e.rules;
    e.rules.pop_back();
    for (std::string id; words >> id;)
      e.valid.push_back(id);
    list.push_back(std::move(e));
  }
  return list;
}

std::string joined(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

/// What is valid, and on demand why the rest is not.
std::string validOn(const Expectation &e, const std::string &data, std::string &why) {
  ReadStudy read = readStudyFile(folder + e.study + ".tea");
  for (const Error &error : read.errors)
    ADD_FAILURE() << error.str();
  if (!read.ok())
    return "";
  read.study.rules = e.rules;
  Result<Table> table = loadData(read.study, data + "/tea/" + read.study.data.file);
  if (!table) {
    ADD_FAILURE() << table.error().str();
    return "";
  }
  Situation situation(read.study, read.study.hypotheses[e.hypothesis - 1], &*table);
  auto selection = Selection::create(standardKnowledge(), e.rules, situation);
  if (!selection) {
    ADD_FAILURE() << selection.error().str();
    return "";
  }
  (*selection)->run();
  std::vector<std::string> ids;
  for (const ProcedureVerdict *v : (*selection)->valid())
    ids.push_back(v->procedure->id);
  for (const ProcedureVerdict &v : (*selection)->verdicts())
    if (v.validity != Validity::Valid) {
      why += "  " + v.procedure->id + ":";
      for (size_t i : (*selection)->violated(v))
        why += " [" + (*selection)->instances()[i].sentence() + ": " +
               (*selection)->instances()[i].evidence.text + "]";
      why += "\n";
    }
  return joined(ids);
}

} // namespace

TEST(Tutorials, validSets) {
  const char *data = std::getenv("IMBREX_BENCH_DATA");
  if (!data)
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not name the folder with tea/*.csv";
  size_t good = 0;
  std::vector<Expectation> all = expectations();
  ASSERT_GE(all.size(), 15u);
  for (const Expectation &e : all) {
    std::string why, valid = validOn(e, data, why);
    good += valid == joined(e.valid);
    EXPECT_EQ(valid, joined(e.valid)) << e.study << " " << e.hypothesis << " " << e.rules << "\n"
                                      << why;
  }
  std::printf("tutorials, valid sets: %zu of %zu\n", good, all.size());
}
