// Any bytes as a suite: the first one chooses between .sqltest and JSON. Read or refused, and what
// was read passes the algebra's verifier.
#include "proof/sql/suite/Suite.h"

#include <cstdio>
#include <cstdlib>

using namespace imbrex;
using namespace imbrex::sql;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  std::string_view text(reinterpret_cast<const char *>(data + 1), size - 1);
  SuiteOptions options;
  options.schemaPath = "schema";
  Result<std::vector<SuiteCase>> cases =
      data[0] % 2
          ? readSqlTest(text, "suite", options)
          : readJsonSuite(text, "suite", "CREATE TABLE t (a INT PRIMARY KEY, b INT);", options);
  if (!cases) {
    if (cases.error().kind == ErrorKind::Internal)
      std::abort();
    return 0;
  }
  for (const SuiteCase &item : *cases)
    for (const QueryPtr &query : {item.pair.first, item.pair.second})
      if (!item.error && query)
        if (Status status = verify(*query, *item.catalog); !status) {
          std::fprintf(stderr, "%s\n", status.error().str().c_str());
          std::abort();
        }
  return 0;
}
