// A study and its data, both written in a test.
#pragma once

#include "stats/data/Csv.h"
#include "stats/data/Reshape.h"
#include "stats/language/ReadStudy.h"
#include "stats/select/Analyze.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace imbrex::stats {

class StudyCase {
public:
  StudyCase(const std::string &text, const std::string &csv) {
    ReadStudy read = parseStudy(text, "s.tea");
    for (const Error &e : read.errors)
      ADD_FAILURE() << e.str();
    study = std::move(read.study);
    if (csv.empty())
      return;
    auto raw = parseCsv(csv, {}, "f.csv");
    auto typed = typeColumns(raw.take(), columnsOf(study), {});
    if (typed)
      table = typed.take();
    else
      ADD_FAILURE() << typed.error().str();
  }

  Selection &select(const Knowledge &knowledge = standardKnowledge()) {
    situation = std::make_unique<Situation>(study, study.hypotheses[0], &table);
    selection = Selection::create(knowledge, study.rules, *situation).take();
    selection->run();
    return *selection;
  }

  std::string valid() {
    std::vector<std::string> ids;
    for (const ProcedureVerdict *v : selection->valid())
      ids.push_back(v->procedure->id);
    std::sort(ids.begin(), ids.end());
    std::string text;
    for (const std::string &id : ids)
      text += (text.empty() ? "" : " ") + id;
    return text;
  }

  StudyAnalysis analysis() { return analyze(study, table, standardKnowledge()).take(); }

  /// Runs a computation, whether it is valid or not.
  Computed compute(std::string_view computation) {
    situation = std::make_unique<Situation>(study, study.hypotheses[0], &table);
    return stats::compute(computation, settingFor(*situation));
  }

  Study study;
  Table table;
  std::unique_ptr<Situation> situation;
  std::unique_ptr<Selection> selection;
};

} // namespace imbrex::stats
