// The questions that the prover had asked Z3, each as an SMT-LIB script whose answer has to be
// "unsat". The certificate holds their proofs; the scripts are for another solver to agree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace imbrex::certificate {

/// Of a certificate that is accepted.
std::vector<std::string> questions(std::string_view certificate);

} // namespace imbrex::certificate
