// From a study's analysis to what scripts repeat: the values each procedure saw.
#pragma once

#include "stats/report/export/Export.h"
#include "stats/select/Analyze.h"

namespace imbrex::stats {

/// One for each valid procedure of each hypothesis that gave numbers, and for the comparisons that
/// follow.
std::vector<Analysis> analysesOf(const StudyAnalysis &analysis);

/// Two groups in the order of the prediction, pairs, conditions, groups or columns: what
/// `computation` sees of the data. False when it sees none of these.
bool takeSamples(Analysis &analysis, const std::string &computation, const Situation &situation,
                 const Computed &computed);

} // namespace imbrex::stats
