// From a study's analysis to what scripts repeat: the values each procedure saw.
#pragma once

#include "stats/report/export/Export.h"
#include "stats/select/Analyze.h"

namespace imbrex::stats {

/// One for each valid procedure of each hypothesis that gave numbers, and for the comparisons that
/// follow.
std::vector<Analysis> analysesOf(const StudyAnalysis &analysis);

/// `procedure` as it was computed. Where its data has no form that scripts know, the procedure's
/// name says so, and it is left out by name. `contrast`: of two categories among more.
Analysis analysisOf(const HypothesisAnalysis &analysis, std::string procedure,
                    const Computed &computed, const Contrast *contrast = nullptr);

/// Appends the tests of a follow-up: one for each comparison that is a test by itself.
void addComparisons(std::vector<Analysis> &list, const HypothesisAnalysis &analysis,
                    const FollowUp &comparisons);

/// Two groups in the order of the prediction, pairs, conditions, groups or columns: what
/// `computation` sees of the data. False when it sees none of these.
bool takeSamples(Analysis &analysis, const std::string &computation, const Situation &situation,
                 const Computed &computed, const Contrast *contrast = nullptr);

enum class Covariates { Leave, Take };
/// The outcome, the factors and perhaps the covariates of a model.
bool takeColumns(Analysis &analysis, const Situation &situation, Covariates covariates);
/// conditions[j][subject] of the only factor; nothing where participants cannot be matched.
std::optional<Groups> conditionsOf(const Situation &situation);
/// Equality within a margin is one of two one-sided tests against a shift: that with the larger p,
/// whose effects are those of no shift.
void takeMargin(Analysis &analysis, const Computed &computed, double margin);

} // namespace imbrex::stats
