// What `prove` and `explain` read: options that say what is asked, a schema, two queries.
#include "tools/common/CommandLine.h"
#include "tools/imbrex-sql/Commands.h"

#include <cstdlib>
#include <map>

namespace imbrex::tools::sql {

using namespace imbrex::sql;

Result<Semantics> semanticsOf(const ProveOptions &options) {
  std::optional<Dialect> dialect = dialectOf(options.dialect);
  if (!dialect)
    return badInput(700, "'" + options.dialect + "' is no dialect", "",
                    "--dialect standard, postgres, sqlite, mysql or calcite");
  Semantics semantics = Semantics::of(*dialect);
  const std::string &as = options.comparison;
  if (as != "automatic" && as != "bag" && as != "set" && as != "list")
    return badInput(700, "results are not compared as '" + as + "'", "",
                    "--compare automatic, bag, set or list");
  semantics.comparison = as == "bag"    ? Comparison::Bag
                         : as == "set"  ? Comparison::Set
                         : as == "list" ? Comparison::List
                                        : Comparison::Automatic;
  if (options.exactDivision)
    semantics.division = IntegerDivision::Exact;
  if (options.errorsAreNull)
    semantics.errors = ErrorPolicy::AsNull;
  if (!options.nulls.empty()) {
    const std::map<std::string, NullSorting> names = {{"largest", NullSorting::Largest},
                                                      {"smallest", NullSorting::Smallest},
                                                      {"first", NullSorting::First},
                                                      {"last", NullSorting::Last}};
    auto nulls = names.find(options.nulls);
    if (nulls == names.end())
      return badInput(700, "NULL does not sort as '" + options.nulls + "'", "",
                      "--nulls largest, smallest, first or last");
    semantics.nulls = nulls->second;
  }
  if (options.emptyIsNull)
    semantics.emptyText = EmptyText::Null;
  if (options.overflowCounts)
    semantics.overflow = Overflow::Counts;
  semantics.compareNames = options.names;
  return semantics;
}

Result<double> secondsOf(const std::string &text) {
  char *end = nullptr;
  double seconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end || !(seconds > 0) || seconds > 86400)
    return badInput(700, "'" + text + "' is no time limit", "", "--timeout 10");
  return seconds;
}

Result<PairOfFiles> readPair(const std::string &first, const std::string &second,
                             const ProveOptions &options, const Semantics &semantics) {
  PairOfFiles files;
  if (!options.schema.empty()) {
    Result<std::string> text = readFile(options.schema);
    if (!text)
      return text.takeError();
    Result<Schema> read = readSchema(*text, options.schema, semantics);
    if (!read)
      return read.takeError();
    files.schema = read.take();
  }
  files.paths = {first, second};
  for (size_t i = 0; i < 2; ++i) {
    Result<std::string> text = readFile(files.paths[i]);
    if (!text)
      return text.takeError();
    files.texts[i] = text.take();
    Result<BoundQuery> query = readQuery(files.texts[i], files.paths[i], files.schema, semantics);
    if (!query) {
      Error error = query.takeError();
      if (error.code == 1020 && options.schema.empty()) {
        error.because = "no schema is given";
        error.remedy = "--schema FILE, with its CREATE TABLE";
      }
      return error;
    }
    (i == 0 ? files.pair.first : files.pair.second) = query->query;
    if (query->remarks.empty())
      (i == 0 ? files.pair.originals.first : files.pair.originals.second) = files.texts[i];
    files.remarks.insert(files.remarks.end(), query->remarks.begin(), query->remarks.end());
  }
  return files;
}

void addSemanticsOptions(CommandLine &line, ProveOptions &options) {
  line.option("--schema S.sql", options.schema, "CREATE TABLE, VIEW and FUNCTION statements")
      .option("--dialect NAME", options.dialect,
              "standard (if not given), postgres, sqlite, mysql or calcite")
      .option("--compare HOW", options.comparison,
              "results as bag, set or list; automatic (if not given): as list when both end in "
              "ORDER BY, else as bag")
      .flag("--names", options.names, "column names must be equal, too")
      .flag("--exact-division", options.exactDivision, "7/2 is 3.5 and not 3")
      .flag("--errors-are-null", options.errorsAreNull,
            "1/0 is NULL; else databases on which a query fails do not count")
      .option(
          "--nulls HOW", options.nulls,
          "where ORDER BY does not say it, NULL is the largest or smallest value, first or last; "
          "as the dialect if not given")
      .flag("--empty-is-null", options.emptyIsNull, "'' is NULL")
      .flag("--overflow-counts", options.overflowCounts,
            "integers may overflow; else databases on which one does do not count")
      .option("--timeout SECONDS", options.timeout, "for each pair; 10 if not given");
}

} // namespace imbrex::tools::sql
