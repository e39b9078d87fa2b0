// What ends a computation that should not end so: memory that ran out, a container's limit, a
// defect of ours. One pair's fault is that pair's answer and never the end of the others; it is
// reported as a defect, so that nobody takes it for a limit of the method.
#pragma once

#include "support/Result.h"

#include <optional>

namespace imbrex::sql {

/// The exception that is being handled, as E1131, an internal error. Needs no memory: a text for
/// which there is none becomes outOfMemory().
Error currentFault() noexcept;

/// E1131 with a text so short that neither it nor a copy requests memory.
Error outOfMemory() noexcept;

/// Runs the body. Whatever it throws comes back as an error.
template <class Body> std::optional<Error> faultOf(const Body &body) {
  try {
    body();
    return std::nullopt;
  } catch (...) {
    return currentFault();
  }
}

} // namespace imbrex::sql
