// Analysis of variance with repeated measures: factors within subjects, alone or with factors
// between them.
//
// Every subject has one value in every combination of the within factors: what is missing is the
// caller's policy, and a subject with a missing value must be left out. F tests are univariate; for
// effects within subjects with more than one degree of freedom sphericity matters: Mauchly's test,
// and p-values corrected by Greenhouse and Geisser's and by Huynh and Feldt's epsilon (in
// Lecoutre's form, 1991).
#pragma once

#include "stats/procedures/anova/Factorial.h"

namespace imbrex::stats {

struct WithinFactor {
  std::string name;
  std::vector<std::string> levels;
};

struct RepeatedDesign {
  std::vector<WithinFactor> within; // at least one
  std::vector<Factor> between;      // a code for each subject; may be empty
  std::vector<std::vector<double>>
      subjects; // values of each subject, the last within factor runs fastest
  SumsOfSquares sums = SumsOfSquares::TypeIII;
  double level = 0.95;
};

/// Tables: "analysis of variance" (uncorrected), "sphericity" (p: Mauchly's; epsilons),
/// "Greenhouse-Geisser" and "Huynh-Feldt" (corrected df and p). Effects of each term: partial eta
/// squared with interval, and generalised eta squared (Olejnik and Algina 2003, all factors
/// manipulated). The statistic of the result is that of the first term within subjects.
TestResult mixedAnova(const RepeatedDesign &design);

/// One factor within subjects, conditions[j][i] the value of subject i. The effects are those of
/// the factor "condition".
TestResult repeatedAnova(const std::vector<std::vector<double>> &conditions, double level = 0.95);

/// Mauchly's test of sphericity alone, and the epsilons: the rows of the table "sphericity" for one
/// factor.
TestResult mauchly(const std::vector<std::vector<double>> &conditions);

} // namespace imbrex::stats
