// Any bytes as a certificate: accepted or rejected, never a crash.
#include "proof/certificate/check/Check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  imbrex::check::check(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
