// A certificate as a file for Coq: sorts, functions and quantification become variables of a
// section, the schema's properties hypotheses, each theorem a lemma with a script. After the
// section the last theorem says that the terms of both queries are equal; it rests on no axiom but,
// where there are fractions, those of Coq's real numbers.
//
// Sums are what finite lists add up to; their laws are lemmas (CoqPrelude.cpp), and each sum that a
// rule speaks of is proven finite (CoqFinite.cpp); ground proofs are computations
// (CoqRefutation.h). A few steps of arithmetic are not exported.
#pragma once

#include "support/Result.h"

#include <string>
#include <string_view>

namespace imbrex::certificate {

/// The certificate was accepted. An error says which step has no counterpart.
Result<std::string> coq(std::string_view certificate);

/// Is this what coqc prints of such a file when it accepts it, without other axioms? This is about
/// files as coq() returns them: of another one, the theorem's statement is to be read as well.
bool isAcceptedByCoq(std::string_view output);

} // namespace imbrex::certificate
