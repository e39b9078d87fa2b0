// Suites of pairs of queries: what `imbrex sql prove --suite` decides.
//
// X.sqltest, our own form. Text before the first === is a comment.
//   === schema                        tables for the pairs that follow; optionally ", postgres"
//   CREATE TABLE t (a INT);
//   === a name: not equivalent        or: equivalent, unknown; the first query of a pair
//   SELECT a FROM t
//   === and
//   SELECT DISTINCT a FROM t
// X.json with a list of {"name", "q1", "q2"}: SQL, with a schema file beside it that is given; all
// pairs are meant to be equivalent. X.json with "schemas" and "queries": QED's algebra.
// A folder: all .sqltest and .json files in it, by name.
//
// A pair that cannot be read is a case with an error, so that it is counted; a suite that cannot be
// read is an error (E1060 to E1063). Files over 16 MiB are refused.
#pragma once

#include "proof/sql/bind/Bind.h"
#include "proof/sql/decide/Decide.h"

#include <memory>
#include <optional>

namespace imbrex::sql {

struct SuiteCase {
  std::string name;
  std::shared_ptr<const Catalog> catalog;
  Semantics semantics;
  QueryPair pair;
  std::optional<Error> error; // in place of the pair
  std::optional<Answer> expected;
  std::vector<std::string> remarks;
};

struct Suite {
  std::string name;
  std::vector<SuiteCase> cases;
};

struct SuiteOptions {
  std::string schemaPath; // of JSON lists of SQL pairs
  Semantics semantics;    // where the file says nothing else
};

Result<Suite> readSuite(const std::string &path, const SuiteOptions &options);

/// The cases of one text in the form of .sqltest. `options.schemaPath` is not used.
Result<std::vector<SuiteCase>> readSqlTest(std::string_view text, const std::string &file,
                                           const SuiteOptions &options);

/// The cases of one text in either form of JSON. `schema` is the text of the tables, for SQL pairs.
Result<std::vector<SuiteCase>> readJsonSuite(std::string_view text, const std::string &file,
                                             const std::optional<std::string> &schema,
                                             const SuiteOptions &options);

/// A whole file. E1000 when it cannot be read, E1001 when it is too large.
Result<std::string> readFile(const std::string &path);

/// "equivalent", "not equivalent", "unknown".
const char *answerName(Answer answer);

} // namespace imbrex::sql
