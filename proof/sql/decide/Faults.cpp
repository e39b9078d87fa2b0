#include "proof/sql/decide/Faults.h"

#include <exception>
#include <new>

namespace imbrex::sql {

static Error brokeOff(const char *why) {
  return internalError(1131, std::string("the work on this pair broke off: ") + why);
}

Error currentFault() {
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

} // namespace imbrex::sql
