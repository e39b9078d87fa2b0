// The published evaluation's programs with their data and candidate analyses, for tests and tables.
// The data files are not part of the project: IMBREX_BENCH_DATA names the folder that holds
// tea/*.csv.
#pragma once

#include "stats/language/LoadData.h"
#include "stats/language/ReadStudy.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace imbrex::stats {

struct Tutorial {
  Study study;
  Table table;
};

struct Candidate {
  std::string study, procedure, published;
  std::vector<std::pair<std::string, double>> p; // by term; "" for the only one
  std::string remark;
};

inline bool haveTutorialData() { return std::getenv("IMBREX_BENCH_DATA") != nullptr; }

/// `folder` ends with '/'. Cholesterol's data is beside the study: the shipped file is not the
/// published data.
inline Result<std::unique_ptr<Tutorial>>
loadTutorial(const std::string &folder, const std::string &name, const std::string &rules) {
  ReadStudy read = readStudyFile(folder + name + ".tea");
  if (!read.ok())
    return read.errors[0];
  read.study.rules = rules;
  std::string path = folder + read.study.data.file;
  if (!std::filesystem::exists(path))
    path = std::string(std::getenv("IMBREX_BENCH_DATA")) + "/tea/" + read.study.data.file;
  Result<Table> table = loadData(read.study, {.file = path, .duckdbLibrary = {}});
  if (!table)
    return table.takeError();
  return std::make_unique<Tutorial>(Tutorial{std::move(read.study), table.take()});
}

/// The lines of candidates.txt; the first of each study is the book's own analysis.
inline std::vector<Candidate> tutorialCandidates(const std::string &folder) {
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

} // namespace imbrex::stats
