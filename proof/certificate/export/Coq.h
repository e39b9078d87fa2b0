// A certificate as a file for Coq: sorts, functions and quantification become variables of a
// section, the schema's properties hypotheses, each theorem a lemma with a script. After the
// section the last theorem says that the terms of both queries are equal; it rests on no axiom but,
// where there are fractions, those of Coq's real numbers.
//
// Rules about sums are not exported, since their laws hold for finite tables only; nor are those of
// MIN and MAX and a few steps of arithmetic. Sums and collections themselves may occur.
#pragma once

#include "support/Result.h"

#include <string>
#include <string_view>

namespace imbrex::certificate {

/// The certificate was accepted. An error says which step has no counterpart.
Result<std::string> coq(std::string_view certificate);

/// Is this what coqc prints of such a file when it accepts it, without other axioms?
bool isAcceptedByCoq(std::string_view output);

} // namespace imbrex::certificate
