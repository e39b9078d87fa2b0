// Reads a pair of queries in QED's JSON algebra: {"schemas": [...], "queries": [q1, q2], "help":
// [...]}.
//
// Columns there are absolute: number n counts through the rows of all enclosing queries, outermost
// first, and then through the row at hand; here they become (depth, index). The files carry types
// without nullability or casts, so both are derived. What has no counterpart in the algebra becomes
// an uninterpreted function. What the format lost on the way (window functions without their
// window, aggregates that it calls unknown) is refused: E1080 damaged file, E1081 lost or unknown
// construct. Time and memory are linear in the text; nesting is limited by the JSON reader.
#pragma once

#include "proof/sql/query/Query.h"

#include <string>
#include <string_view>

namespace imbrex::sql {

struct QedPair {
  Catalog catalog;
  QueryPtr first;
  QueryPtr second;
  std::vector<std::string> help; // the plans in words, as the file has them
};

Result<QedPair> readQed(std::string_view text, const std::string &file = {});

} // namespace imbrex::sql
