// Host operations on strings and sequences: tensors whose elements refer to a heap's texts and
// tensors (support/tensor/ItemHeap.h). Operands as in HostOps.h; E0242.
#pragma once

#include "support/hostops/HostOps.h"

namespace imbrex {

using HostResults = Result<std::vector<HostTensor>>;

// --- Sequences: vectors of items. Places count from the end where negative.

/// A sequence of one: x.
HostResults itemOf(HostArgs args, ItemHeap &heap);
/// The tensor at a place; its type is checked. sequence, place; dtype, rank.
HostResults sequenceAt(HostArgs args, ItemHeap &heap);
/// sequence, sequence of one, place (absent: the end).
HostResults sequenceInsert(HostArgs args, ItemHeap &heap);
/// sequence, place (absent: the last).
HostResults sequenceErase(HostArgs args, ItemHeap &heap);
/// Parts of x along an axis: of these lengths, of one length, or of length 1. x, lengths; axis,
/// keepdims (for parts of length 1 only).
HostResults splitToItems(HostArgs args, ItemHeap &heap);
/// The tensors of a sequence along one axis, an old or a new one. sequence; axis, new axis, dtype,
/// rank of the result.
HostResults concatItems(HostArgs args, ItemHeap &heap);

// --- Strings

/// The tensor of constant strings. A vector of bytes: 32-bit lengths, then the texts; its shape.
HostResults textsOf(HostArgs args, ItemHeap &heap);
/// The bytes that textsOf reads, of a tensor in the process's heap.
HostTensor packTexts(const HostTensor &strings);
/// Element by element; one shape.
HostResults stringConcat(HostArgs args, ItemHeap &heap);
/// x, delimiter (absent or empty: white space); most splits, or -1. The parts, filled up with empty
/// strings, and their numbers.
HostResults stringSplit(HostArgs args, ItemHeap &heap);
/// x, stop words; case (0 keep, 1 lower, 2 upper), whether stop words compare with case. One empty
/// string where nothing is left. Cases are changed for ASCII, Latin, Greek and Cyrillic letters.
HostResults stringNormalize(HostArgs args, ItemHeap &heap);
/// Whether a pattern (Regex.h) matches the whole of each element. x, pattern.
HostResults regexFullMatch(HostArgs args, ItemHeap &heap);
/// Numbers as text, as few digits as tell the value; bools as 1 and 0.
HostResults toStrings(HostArgs args, ItemHeap &heap);
/// Texts as numbers; dtype.
HostResults fromStrings(HostArgs args, ItemHeap &heap);

/// The value of the key equal to each element, else the default; NaN is equal to NaN. x, keys,
/// values, default.
HostResults mapLabels(HostArgs args, ItemHeap &heap);

/// Each row of a matrix as a map from labels to its elements: x, labels.
HostResults zipMap(HostArgs args, ItemHeap &heap);

/// Their table rows, in no order.
std::vector<HostFunction> itemFunctions();

} // namespace imbrex
