// How far a compiled model may be from the reference: measured, not guessed.
//
// The float contract (support/opmeaning/Operator.h) lets an element function be off by a few units
// in the last place, and a sum of n terms be added in any order in at least float32. The error of
// such a sum is at most n*u of its terms' magnitude, and with high probability a small multiple of
// sqrt(n)*u (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis, 2019). What
// the errors of all operators together do to an output depends on the model and its inputs. So the
// reference is run again with an error of that size put into every result at random (Monte Carlo
// arithmetic, Parker 1997), and how far the outputs move is how far they may move.
//
// This is an estimate, not a proof: magnitudes are those of an operator's results, which are
// smaller than its terms' where these cancel, and random signs may cancel; both are covered by a
// factor.
#pragma once

#include "support/opmeaning/Operator.h"

namespace imbrex::tools {

/// Moves each float element of an operator's results by as much as the contract allows, up or down
/// as `seed` and its place say; a zero of an operator that takes extremes gets either sign, and
/// where convolutions may make NaN of what is not finite, there is NaN. Other results of exact
/// operators, integers and bools stay.
void disturb(const opmeaning::Operator &op, const opmeaning::Attrs &attrs,
             const std::vector<std::optional<HostTensor>> &operands,
             std::vector<HostTensor> &results, uint64_t seed);

/// `actual` with what the expected tensor has where errors that the contract allows decide: between
/// integers, as the place of the greatest of two nearly equal numbers or a comparison of them, and
/// whether a number is finite, as that of 1/x.
HostTensor decided(const HostTensor &actual, const HostTensor &expected,
                   const std::vector<HostTensor> &others);

/// The absolute difference that an output's elements may have from `expected`; `others` are what
/// disturbed runs gave for it.
double allowedDifference(const HostTensor &expected, const std::vector<HostTensor> &others);

} // namespace imbrex::tools
