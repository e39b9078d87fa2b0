// Checks a certificate of the equivalence of two queries (docs/reference/sql-certificates.md):
// every step of it is an instance of a rule, and the last one is the claim. Shares no code with the
// prover, searches for nothing and calls no solver.
//
//   if (check(text).accepted) ...
//
// Never throws; ends on any text, in time that grows with its length and the limits of Terms.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace imbrex::check {

class Line;
class Terms;

struct Outcome {
  bool accepted = false;
  bool isReadable = true;  // otherwise the text is no certificate
  std::string why;         // of a rejection: the line and the reason
  uint32_t steps = 0;      // rules and steps of ground proofs
  std::string translation; // the header's "translation" line
};

/// Sees the steps of a certificate as they are accepted; has no say in it.
class Observer {
public:
  static constexpr uint32_t NoTheorem = UINT32_MAX;
  virtual ~Observer() = default;
  /// A line that is no term, and the formula that it proves. `ids` has what the line's
  /// numbers of terms stand for.
  virtual void step(Terms &terms, const std::map<uint32_t, uint32_t> &ids, Line line,
                    uint32_t theorem) = 0;
};

/// With a `statement`, a text of the same kind without proofs, the certificate has to claim what
/// that claims and may assume no property of functions that it does not state.
Outcome check(std::string_view certificate, std::string_view statement = {},
              Observer *observer = nullptr);

} // namespace imbrex::check
