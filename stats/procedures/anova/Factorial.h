// Analysis of variance with one or more factors, each value from another subject, and with
// covariates.
//
// Unbalanced designs: sums of squares of Type I (in the order of the factors), II (each term
// adjusted for all terms that do not contain it) or III (adjusted for all others). Factors are
// coded to sum to zero, as Type III requires, so that the order of factors and levels does not
// matter. Cost: O(values) to collapse them into cells, then cubic in the number of cells; with
// covariates values * columns^2.
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"

#include <cstdint>
#include <string>
#include <vector>

namespace imbrex::stats {

struct Factor {
  std::string name;
  std::vector<std::string> levels;
  std::vector<int32_t> codes; // index of the level of each value
};

struct Covariate {
  std::string name;
  std::vector<double> values;
};

struct FactorialDesign {
  std::vector<Factor> factors;
  std::vector<Covariate> covariates; // without interactions
  std::vector<double> outcome;
  SumsOfSquares sums = SumsOfSquares::TypeII;
  double level = 0.95;
};

/// All main effects and interactions. Table "analysis of variance": a row for each term ("wool",
/// "wool:tension"), then "residuals"; each term with F, p, partial eta squared, partial omega
/// squared, and eta squared of the total. The statistic of the result is F of the whole model.
/// Refused: cells without values (named), no more values than cells. Undefined: no variance within
/// cells.
TestResult factorialAnova(const FactorialDesign &design);

/// The same with at least one covariate, which enters first in Type I. Further tables: "homogeneity
/// of slopes" (does a covariate's slope differ between cells? then the comparison depends on where
/// it is made) and "adjusted means" of the cells at the covariates' means, with intervals.
TestResult ancova(const FactorialDesign &design);

/// Values less the mean of their cell, in the order of the outcome: what normality is checked on.
std::vector<double> cellResiduals(const FactorialDesign &design);
/// The values of each cell that has any.
std::vector<std::vector<double>> cellsOf(const FactorialDesign &design);

} // namespace imbrex::stats
