// The published experiment on errors: 12 tutorials, and every analysis of their data that somebody
// who is no statistician might take. How many come to another verdict than the book, and what does
// Tea choose?
#pragma once

#include <string>

namespace imbrex::stats::oracles {

struct ExperimentResult {
  std::string summary;    // ", error experiment: …"
  bool asExpected = true; // Tea never errs, and 5 candidates in 2 tutorials do, as published
};

/// Prints one line a tutorial. Without the data (IMBREX_BENCH_DATA) nothing, and the summary says
/// so.
ExperimentResult runErrorExperiment();

} // namespace imbrex::stats::oracles
