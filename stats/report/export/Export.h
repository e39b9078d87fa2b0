// The same analyses as a script for R or for Python (NumPy, SciPy, statsmodels), with the data in
// it. The script computes each number anew, compares it with what was reported, and ends with
// status 1 when one differs.
//
// R needs no package beyond the base ones. Numbers that neither language's library computes (exact
// p-values with ties, Dunn's test) are computed in the script from their definition.
#pragma once

#include "stats/report/export/Script.h"

namespace imbrex::stats {

/// A complete script. An analysis whose procedure has no recipe, or which gave no numbers, is named
/// in a comment, and in `leftOut`.
struct ExportedScript {
  std::string text;
  std::vector<std::string> leftOut;
};
ExportedScript exportScript(Language language, const std::vector<Analysis> &analyses);

/// Procedures that can be exported.
std::vector<std::string> exportableProcedures();

} // namespace imbrex::stats
