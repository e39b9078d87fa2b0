// Any bytes as a study: read, or refused; what was read is written as text that reads back the
// same.
#include "stats/language/ReadStudy.h"
#include "stats/language/WriteStudy.h"

#include <cstdlib>

using namespace imbrex::stats;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  ReadStudy read = parseStudy(text, "fuzz.tea");
  for (const imbrex::Error &error : read.errors)
    if (error.code == 0 || error.what.empty())
      std::abort();
  if (!read.ok())
    return 0;
  std::string written = writeStudy(read.study);
  ReadStudy again = parseStudy(written, "fuzz.tea");
  if (!again.ok() || writeStudy(again.study) != written)
    std::abort();
  ReadStudy json = parseStudy(studyJson(read.study).str(), "fuzz.json");
  if (!json.ok())
    std::abort();
  return 0;
}
