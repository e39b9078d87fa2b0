// How each procedure is written in R and Python. One recipe a procedure, by family in a file each.
#pragma once

#include "stats/report/export/Script.h"

namespace imbrex::stats {

using Recipe = void (*)(Script &script);

struct NamedRecipe {
  std::string_view procedure;
  Recipe write;
};

std::vector<NamedRecipe> recipesOfMeans();
std::vector<NamedRecipe> recipesOfRanks();
std::vector<NamedRecipe> recipesOfGroups();
std::vector<NamedRecipe> recipesOfCounts();
std::vector<NamedRecipe> recipesOfCorrelations();
std::vector<NamedRecipe> recipesOfComparisons();
std::vector<NamedRecipe> recipesOfMarginalMeans();
std::vector<NamedRecipe> recipesOfModels();
std::vector<NamedRecipe> recipesOfRepeated();
std::vector<NamedRecipe> recipesOfRegression();
std::vector<NamedRecipe> recipesOfResampling();

/// Writes samples[0] and samples[1] as variables `first` and `second`.
void writeTwoSamples(Script &script);
/// Writes all samples as one variable `y` and their numbers, from 1, as `g`.
void writeGroups(Script &script);

} // namespace imbrex::stats
