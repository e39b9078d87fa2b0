// Checks a certificate of the equivalence of two queries (docs/reference/sql-certificates.md):
// every step of it is an instance of a rule, and the last one is the claim. Shares no code with the
// prover and calls no solver.
//
//   Outcome outcome = check(text);
//   if (outcome.accepted && outcome.leaves.empty()) ...
//
// Never throws; ends on any text, in time that grows with its length and the limits of Ground.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace imbrex::check {

struct Outcome {
  bool accepted = false;
  bool isReadable = true;               // otherwise the text is no certificate
  std::string why;                      // of a rejection: the line and the reason
  std::vector<std::string> leaves;      // SMT-LIB scripts that are trusted to be unsatisfiable
  std::vector<std::string> refutations; // all scripts, for another solver to confirm
  uint32_t steps = 0, questions = 0;
  std::string translation; // the header's "translation" line
};

/// What is done with refutations that the checker's own procedures do not find: rejected, trusted,
/// or trusted with a script of every refutation, found or not.
enum class Leaves : uint8_t { Refuse, Trust, Export };

/// With a `statement`, a text of the same kind without proofs, the certificate has to claim what
/// that claims and may assume no property of functions that it does not state.
Outcome check(std::string_view certificate, Leaves leaves = Leaves::Trust,
              std::string_view statement = {});

} // namespace imbrex::check
