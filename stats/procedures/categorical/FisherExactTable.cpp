#include "stats/procedures/categorical/FisherExactTable.h"

#include "stats/procedures/categorical/ChiSquare.h"
#include <algorithm>

#include <algorithm>
#include <cstdio>

namespace imbrex::stats {
namespace {

std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

/// The table without rows and columns that have no counts.
ContingencyTable withoutEmpty(const ContingencyTable &table) {
  std::vector<int64_t> rows = table.counts.rowSums(), columns = table.counts.columnSums();
  ContingencyTable kept;
  for (size_t column = 0; column < columns.size(); ++column)
    if (columns[column] > 0)
      kept.columnNames.push_back(column < table.columnNames.size() ? table.columnNames[column]
                                                                   : std::to_string(column + 1));
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] == 0)
      continue;
    kept.rowNames.push_back(row < table.rowNames.size() ? table.rowNames[row]
                                                        : std::to_string(row + 1));
    for (size_t column = 0; column < columns.size(); ++column)
      if (columns[column] > 0)
        kept.counts.counts.push_back(table.counts.at(row, column));
  }
  kept.counts.rows = kept.rowNames.size();
  kept.counts.columns = kept.columnNames.size();
  return kept;
}

} // namespace

TestResult fisherExactTable(const ContingencyTable &given, const TableSampling &sampling,
                            double level) {
  TestResult result{.id = "fishers_exact_table", .name = "Fisher's exact test (Freeman-Halton)"};
  if (!acceptTable(result, given, EmptyMargins::Accept))
    return result;
  ContingencyTable table = withoutEmpty(given);
  if (table.counts.counts.size() < given.counts.counts.size())
    result.notes.push_back(emptyMargin(given) + ": it was left out");
  if (table.counts.rows < 2 || table.counts.columns < 2) {
    result.p.undirected = PValue::of(1);
    result.method = "only one table has these margins";
    return result;
  }
  if (auto p = exactTableP(table.counts, sampling.workLimit)) {
    result.p.undirected = PValue::of(*p);
    result.method = "exact, given the margins";
  } else if (table.counts.total() <= 10'000'000) {
    Random random(sampling.seed);
    // A table costs by its cells; ten thousand of them tell p to half a percent.
    auto cells = static_cast<int64_t>(table.counts.counts.size());
    int64_t samples = std::min(sampling.samples, std::max<int64_t>(10'000, 20'000'000 / cells));
    SampledP sampled = sampledTableP(table.counts, samples, random);
    result.p.undirected = PValue::of(sampled.p);
    result.method = "Monte Carlo, " + std::to_string(sampled.samples) + " tables, seed " +
                    std::to_string(sampling.seed) + ", standard error " +
                    shortNumber(sampled.standardError);
    result.statistics.push_back({"standard error of p", sampled.standardError});
    result.notes.push_back("the table has too many alternatives to count: p is an estimate");
  } else {
    return result.refused("the table has more than 10 million observations: use chi-square");
  }
  addAssociationEffects(result, table, level);
  return result;
}

} // namespace imbrex::stats
