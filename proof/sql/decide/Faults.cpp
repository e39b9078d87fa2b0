#include "proof/sql/decide/Faults.h"

#include <exception>
#include <new>

namespace imbrex::sql {

static Error brokeOff(const char *why) {
  return internalError(1131, std::string("the work on this pair broke off: ") + why);
}

static Error described() {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return brokeOff("memory ran out");
  } catch (const std::exception &error) {
    return brokeOff(error.what());
  } catch (...) {
    return brokeOff("an exception of no known type");
  }
}

Error currentFault() noexcept {
  try {
    return described();
  } catch (...) { // no memory for the text either
    return outOfMemory();
  }
}

Error outOfMemory() noexcept {
  static_assert(sizeof(std::string) >= 32, "the text below fits into the string itself");
  Error error;
  error.kind = ErrorKind::Internal;
  error.code = 1131;
  error.what = "memory ran out";
  return error;
}

} // namespace imbrex::sql
