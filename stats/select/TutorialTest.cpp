// The published tutorials: which procedures are valid on their data, under both sets of rules. The
// data files are not part of the project: IMBREX_BENCH_DATA names the folder that holds tea/*.csv.
#include "stats/language/LoadData.h"
#include "stats/language/ReadStudy.h"
#include "stats/select/Compute.h"
#include "stats/select/Selection.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
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

/// A tutorial's study with its data. Cholesterol is beside the study: the shipped file is not the
/// published data.
struct Loaded {
  Study study;
  Table table;
};

std::unique_ptr<Loaded> load(const std::string &name, const std::string &rules) {
  ReadStudy read = readStudyFile(folder + name + ".tea");
  for (const Error &error : read.errors)
    ADD_FAILURE() << error.str();
  if (!read.ok())
    return nullptr;
  read.study.rules = rules;
  std::string own = folder + read.study.data.file;
  std::string path = std::filesystem::exists(own) ? own
                                                  : std::string(std::getenv("IMBREX_BENCH_DATA")) +
                                                        "/tea/" + read.study.data.file;
  Result<Table> table = loadData(read.study, {.file = path, .duckdbLibrary = {}});
  if (!table) {
    ADD_FAILURE() << table.error().str();
    return nullptr;
  }
  return std::make_unique<Loaded>(Loaded{std::move(read.study), table.take()});
}

/// What is valid, and why the rest is not.
std::string validOn(const Expectation &e, std::string &why) {
  std::unique_ptr<Loaded> loaded = load(e.study, e.rules);
  if (!loaded)
    return "";
  Situation situation(loaded->study, loaded->study.hypotheses[e.hypothesis - 1], &loaded->table);
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

struct Candidate {
  std::string study, procedure, published;
  std::vector<std::pair<std::string, double>> p; // by term; "" for the only one
  std::string remark;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> list;
  std::ifstream in(folder + "candidates.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    Candidate c;
    if (size_t at = line.find(" # "); at != std::string::npos) {
      c.remark = line.substr(at + 3);
      line.resize(at);
    }
    std::istringstream words(line);
    words >> c.study >> c.procedure >> c.published;
    for (std::string word; words >> word;) {
      size_t equals = word.find('=');
      std::string term = equals == std::string::npos ? "" : word.substr(0, equals);
      if (word != "-")
        c.p.emplace_back(term,
                         std::stod(equals == std::string::npos ? word : word.substr(equals + 1)));
    }
    list.push_back(std::move(c));
  }
  return list;
}

/// Equal to six significant digits.
bool sixDigits(double have, double want) { return std::abs(have - want) <= 5e-7 * std::abs(want); }

std::string compare(const Candidate &c, const Computed &computed) {
  if (!computed.result.defined())
    return computed.result.reason;
  if (c.p.empty())
    return computed.result.table("medians") && !computed.p ? "" : "intervals were expected";
  for (const auto &[term, want] : c.p) {
    std::optional<PValue> p = computed.result.p.undirected;
    if (!term.empty()) {
      const ResultTable *table = computed.result.table("analysis of variance");
      const ResultRow *row = table ? table->row(term) : nullptr;
      p = row ? row->p.undirected : std::nullopt;
    }
    if (!p || !sixDigits(p->value, want))
      return term + " p = " + std::to_string(p ? p->value : -1) + ", not " + std::to_string(want);
  }
  return "";
}

/// False, and said, without the data.
bool haveData() { return std::getenv("IMBREX_BENCH_DATA") != nullptr; }

} // namespace

TEST(Tutorials, validSets) {
  if (!haveData())
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not name the folder with tea/*.csv";
  size_t good = 0;
  std::vector<Expectation> all = expectations();
  ASSERT_GE(all.size(), 15u);
  for (const Expectation &e : all) {
    std::string why, valid = validOn(e, why);
    good += valid == joined(e.valid);
    EXPECT_EQ(valid, joined(e.valid)) << e.study << " " << e.hypothesis << " " << e.rules << "\n"
                                      << why;
  }
  std::printf("tutorials, valid sets: %zu of %zu\n", good, all.size());
}

TEST(Tutorials, candidatePValues) {
  if (!haveData())
    GTEST_SKIP() << "IMBREX_BENCH_DATA does not name the folder with tea/*.csv";
  size_t good = 0;
  std::vector<Candidate> all = candidates();
  ASSERT_EQ(all.size(), 43u);
  for (const Candidate &c : all) {
    std::unique_ptr<Loaded> loaded = load(c.study, "tea-2019");
    if (!loaded)
      continue;
    Situation situation(loaded->study, loaded->study.hypotheses[0], &loaded->table);
    std::string wrong = compare(c, compute(c.procedure, settingFor(situation)));
    good += wrong.empty();
    EXPECT_EQ(wrong, "") << c.study << " " << c.procedure;
    if (!c.remark.empty())
      std::printf("  %s, %s: published %s, recomputed %.6g: %s\n", c.study.c_str(),
                  c.procedure.c_str(), c.published.c_str(), c.p.empty() ? 0 : c.p[0].second,
                  c.remark.c_str());
  }
  std::printf("tutorials, p-values: %zu of %zu\n", good, all.size());
}
