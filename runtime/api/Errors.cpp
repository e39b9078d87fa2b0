#include "runtime/api/Handles.h"

namespace imbrex::runtime {
namespace {

std::string &lastError() {
  thread_local std::string text;
  return text;
}

ImbrexStatus statusOf(const Error &e) {
  if (e.code == 250)
    return IMBREX_NO_MEMORY;
  if (e.code == 204)
    return IMBREX_BUSY;
  if (e.kind == ErrorKind::Unsupported)
    return IMBREX_UNSUPPORTED;
  if (e.kind == ErrorKind::Internal)
    return IMBREX_INTERNAL;
  if (e.code >= 240 && e.code < 250)
    return IMBREX_RUN_FAILED;
  return e.code >= 100 && e.code < 200 ? IMBREX_BAD_ARTIFACT : IMBREX_BAD_ARGUMENT;
}

} // namespace

ImbrexStatus report(const Error &error) {
  try {
    lastError() = error.str();
  } catch (...) {
    lastError().clear();
  }
  return statusOf(error);
}

ImbrexStatus misuse(const char *what) { return report(badInput(200, what)); }

} // namespace imbrex::runtime

const char *imbrex_last_error(void) { return imbrex::runtime::lastError().c_str(); }

const char *imbrex_version(void) { return IMBREX_VERSION; }
