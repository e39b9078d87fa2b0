// Pearson's chi-square and the likelihood-ratio G test of independence. Yates' correction applies
// to 2 x 2 tables only, as the conventions say. Effect sizes come from the uncorrected statistic: V
// (and its bias-corrected form, Bergsma 2013), phi with the sign of the diagonal for 2 x 2;
// intervals by noncentral chi-square.
//
// The table "expected counts" has a row for each row of the table.
#pragma once

#include "stats/procedures/Conventions.h"
#include "stats/procedures/categorical/ContingencyTable.h"

namespace imbrex::stats {

TestResult chiSquareIndependence(const ContingencyTable &table, Yates yates, double level = 0.95);
TestResult gTestIndependence(const ContingencyTable &table, double level = 0.95);

/// Pearson's statistic without correction.
double chiSquareOf(const ContingencyTable &table);
/// Adds V, bias-corrected V and, for 2 x 2, phi.
void addAssociationEffects(TestResult &result, const ContingencyTable &table, double level);

} // namespace imbrex::stats
