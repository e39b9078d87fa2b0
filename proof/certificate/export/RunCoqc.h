// Asks coqc about a script, in a folder of its own: for the tests, and for check-certificates.
#pragma once

#include <cstdint>
#include <string>

namespace imbrex::certificate {

enum class CoqAnswer : uint8_t {
  Accepted,
  Rejected, // with an error, or the theorem rests on an axiom that is not one of real numbers
  TimedOut,
  Failed, // coqc did not start or run to its end: memory, a signal, no library, no folder for it
  Missing // there is no coqc
};

struct CoqRun {
  CoqAnswer answer = CoqAnswer::Failed;
  std::string text; // why it is not accepted, in coqc's words
};

/// At most that many seconds of processor time, twenty times as many by the clock, and 8 GiB. coqc
/// is a child without a shell between: it ends with this program, on Ctrl-C as well.
CoqRun runCoqc(const std::string &script, unsigned seconds);

} // namespace imbrex::certificate
