// Any bytes as a data file: read and typed, or refused.
#include "stats/data/Csv.h"
#include "stats/data/Table.h"

#include <cstdlib>

using namespace imbrex::stats;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  auto raw = parseCsv(bytes, {}, "fuzz");
  if (!raw)
    return 0;
  std::vector<ColumnSpec> specs;
  for (const RawColumn &column : raw->columns) {
    if (column.cells.size() != raw->rows)
      std::abort();
    specs.push_back({column.name});
  }
  if (!specs.empty()) { // contradicting declarations are errors, with a place
    auto again = parseCsv(bytes, {}, "fuzz");
    auto numbers = typeColumns(again.take(), {{specs.back().name, ColumnSpec::Kind::Number}}, {});
    if (!numbers && numbers.error().code == 1208 && numbers.error().where.line == 0)
      std::abort();
  }
  auto table = typeColumns(raw.take(), specs, {});
  if (table)
    for (const Column &column : table->columns)
      if (column.rows() != table->rows)
        std::abort();
  return 0;
}
