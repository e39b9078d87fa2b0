// Asks coqc about a script, in a folder of its own: for the tests, and for check-certificates.
#pragma once

#include <cstdint>
#include <string>

namespace imbrex::certificate {

enum class CoqAnswer : uint8_t {
  Accepted,
  Rejected, // with an error, or the theorem rests on an axiom that is not one of real numbers
  TimedOut,
  Failed, // coqc did not run to its end: memory, a signal, no folder for it
  Missing // there is no coqc
};

struct CoqRun {
  CoqAnswer answer = CoqAnswer::Failed;
  std::string text; // why it is not accepted, in coqc's words
};

/// At most that many seconds of processor time; the machine may be busy.
CoqRun runCoqc(const std::string &script, unsigned seconds);

} // namespace imbrex::certificate
