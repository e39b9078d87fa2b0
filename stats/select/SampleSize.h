// How many observations a hypothesis needs: the power of the classical test of its design, before
// there is data.
#pragma once

#include "stats/procedures/power/Power.h"
#include "stats/select/Situation.h"

namespace imbrex::stats {

struct PowerQuestion {
  std::string test;            // "t test of two independent groups"
  std::string effect;          // "Cohen's d"
  std::string unit;            // what n counts: "per group"
  double small, medium, large; // Cohen's (1988) conventional effects
  double least = 2;            // the smallest n that makes sense
  double most;                 // effects below it make sense
  Alternative alternative = Alternative::TwoSided;
  std::function<double(double effect, double n)> power;
};

/// By the design alone: two groups, pairs, several groups, a correlation, two categorical
/// variables, one sample. E1260 for other designs, whose power needs a simulation.
Result<PowerQuestion> powerQuestionOf(const Situation &situation);

} // namespace imbrex::stats
