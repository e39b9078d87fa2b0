// Makes a certificate (docs/reference/sql-certificates.md) of the prover's log: every step is
// proven again from the checker's rules, every question of the log answered by a proof.
#pragma once

#include "support/Result.h"

#include <string>
#include <string_view>

namespace imbrex::certificate {

/// The log is what Writer made of a recorder. An error says which entry could not be proven again.
Result<std::string> elaborate(std::string_view log);

} // namespace imbrex::certificate
