// The report for a terminal, and the same as JSON.
#pragma once

#include "stats/select/Analyze.h"
#include "support/json/Json.h"

namespace imbrex::stats {

enum class Detail : uint8_t {
  Usual, // rejected tests: only those that the data rules out
  All,   // every rejected test with all that is violated
};

/// For each hypothesis: decision, test and why, numbers, effects with intervals, an APA sentence,
/// assumptions with evidence, other valid tests, rejected ones, warnings. Plain text in UTF-8.
/// Detail::All measures what was left open.
std::string reportText(const StudyAnalysis &analysis, Detail detail);
Json reportJson(const StudyAnalysis &analysis);

/// Why a procedure is not valid, or that it is: every requirement with its evidence, and what would
/// have to change.
std::string whyNotText(Selection &selection, const ProcedureVerdict &verdict);
Json whyNotJson(Selection &selection, const ProcedureVerdict &verdict);

/// "Simple effects of tension; t with …": one of the comparisons of `analysis`.
std::string comparisonsTitle(const HypothesisAnalysis &analysis, const FollowUp &comparisons);

Json resultJson(const Computed &computed);
/// "t = 3.895, df = 24.93, p = 3.25e-04 (greater)"
std::string resultLine(const Computed &computed);

/// The p-value of the decision: adjusted where there are several hypotheses. Needs one.
PValue decidingP(const HypothesisAnalysis &analysis);
/// "p = .00142", and that it is adjusted where it is.
std::string decidingPText(const HypothesisAnalysis &analysis);

} // namespace imbrex::stats
