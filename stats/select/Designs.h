// A hypothesis about several factors as the design that an analysis of variance takes.
#pragma once

#include "stats/procedures/anova/Factorial.h"
#include "stats/procedures/anova/Repeated.h"
#include "stats/procedures/anova/Terms.h"
#include "stats/select/Compute.h"

namespace imbrex::stats {

/// Why there is no such design: no explained variable, or an explanatory one without categories.
/// Empty when there is one.
std::string notCategorical(const Situation &situation);

/// All factors between participants, and the covariates. Only where notCategorical says nothing.
FactorialDesign factorialDesignOf(const ComputeSetting &setting);

/// Factors within participants and perhaps between them; `matched` receives who was used. Badly
/// matched data and missing factors are an error for the user.
Result<RepeatedDesign> repeatedDesignOf(const ComputeSetting &setting, Matched &matched);

/// Means of participants at two levels of a factor, over all levels of the others, the second
/// multiplied by the contrast's factor. `paired`: of the same participants, in the same order.
struct ParticipantsMeans {
  bool paired = false;
  std::vector<double> first, second;
};
Result<ParticipantsMeans> participantsMeans(const ComputeSetting &setting,
                                            const Contrast &contrast);

} // namespace imbrex::stats
