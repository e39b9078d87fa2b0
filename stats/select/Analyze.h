// A study from its data to decisions: for each hypothesis the valid procedures, the one that
// decides, its numbers, and what the reader must be warned of.
#pragma once

#include "stats/select/Compute.h"
#include "stats/select/Selection.h"

namespace imbrex::stats {

enum class Decision : uint8_t {
  Supported,    // significant, and in the predicted direction where there is one
  NotSupported, // no evidence for the hypothesis; that is no evidence against it
  Undecided,    // no valid test gave a p-value, or none that answers the prediction
};

struct ProcedureRun {
  const Procedure *procedure = nullptr;
  Computed computed;
};

struct HypothesisAnalysis {
  const Hypothesis *hypothesis = nullptr;
  std::unique_ptr<Situation> situation;
  std::unique_ptr<Selection> selection;
  std::vector<ProcedureRun> runs;    // all valid ones; the first decides. Without any: the fallback
  std::vector<FollowUp> comparisons; // planned, or of all pairs
  std::optional<PValue> p; // of the hypothesis: of the deciding test, or of all planned comparisons
  std::optional<double> adjustedP; // Holm's, over the hypotheses of the study
  Decision decision = Decision::Undecided;
  bool fallback = false;
  std::vector<std::string> warnings;

  const ProcedureRun *deciding() const { return runs.empty() ? nullptr : &runs[0]; }
};

struct StudyAnalysis {
  std::vector<HypothesisAnalysis> hypotheses;
  size_t propertyTests = 0;
};

/// `study` must have passed checkStudy; it, the table and the knowledge must outlive the result.
/// E1254 for unknown rules.
Result<StudyAnalysis> analyze(const Study &study, const Table &table, const Knowledge &knowledge);

} // namespace imbrex::stats
