// Any bytes as a pair of queries: read, or refused; what was read passes the algebra's verifier.
#include "proof/sql/qed/ReadQed.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace imbrex::sql;
  auto pair = readQed(std::string_view(reinterpret_cast<const char *>(data), size));
  if (!pair)
    return 0;
  for (const QueryPtr &query : {pair->first, pair->second})
    if (auto status = verify(*query, pair->catalog); !status) {
      std::fprintf(stderr, "%s\n", status.error().str().c_str());
      std::abort();
    }
  return 0;
}
