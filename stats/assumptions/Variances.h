// Do groups have the same variance? A small p speaks against it.
#pragma once

#include "stats/numeric/Moments.h"
#include "stats/procedures/Conventions.h"
#include "stats/procedures/TestResult.h"

namespace imbrex::stats {

/// One-way F of the distances from the group's centre: mean (Levene 1960), median (Brown and
/// Forsythe 1974, robust), or mean without a tenth of the values at each end. Some group needs 2
/// values; all distances equal: Undefined.
TestResult levene(const Groups &groups, LeveneCentre centre = LeveneCentre::Median);

/// Bartlett (1937): powerful for normal groups, misleading for others. 2 values in each group. One
/// group without variance: infinite; all of them: Undefined.
TestResult bartlett(const Groups &groups);

/// Fligner and Killeen (1976) on normal scores of ranked distances from the medians; chi-square.
/// Very robust.
TestResult flignerKilleen(const Groups &groups);

} // namespace imbrex::stats
