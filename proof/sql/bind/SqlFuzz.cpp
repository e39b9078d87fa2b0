// Any bytes as SQL: the first one chooses the dialect; a line "==" ends a schema, else there is a
// fixed one. Read or refused, and what was read passes the algebra's verifier.
#include "proof/sql/bind/Bind.h"

#include <cstdio>
#include <cstdlib>

using namespace imbrex;
using namespace imbrex::sql;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  Semantics semantics = Semantics::of(Dialect(data[0] % 5));
  std::string_view text(reinterpret_cast<const char *>(data + 1), size - 1);
  std::string_view tables = "CREATE TABLE t (a INT PRIMARY KEY, b INT, c VARCHAR(9), d DATE);"
                            "CREATE TABLE u (a INT, x DECIMAL, y BOOLEAN);";
  if (size_t end = text.find("\n==\n"); end != std::string_view::npos) {
    tables = text.substr(0, end);
    text.remove_prefix(end + 4);
  }
  Result<Schema> schema = readSchema(tables, "schema", semantics);
  if (!schema)
    return 0;
  Result<BoundQuery> query = readQuery(text, "query", *schema, semantics);
  if (!query && query.error().kind == ErrorKind::Internal) {
    std::fprintf(stderr, "%s\n", query.error().str().c_str());
    std::abort();
  }
  return 0;
}
