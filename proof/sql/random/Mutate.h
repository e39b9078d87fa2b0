// Small changes to queries and schemas that mostly change the meaning: what tests of the prover's
// soundness and of the refuter's strength are made from.
//
// Sites of a query: comparisons, connectives, arithmetic, NULL tests, literals, kinds of joins,
// DISTINCT, ALL, aggregates, directions of sorting. Sites of a schema: a key dropped, a NOT NULL
// dropped. O(size of the query) each.
#pragma once

#include "proof/sql/query/Query.h"

#include <optional>
#include <string>

namespace imbrex::sql {

struct Mutant {
  QueryPtr query;
  std::string what; // "join INNER to LEFT"
};

/// How many sites the query has; sites are numbered from 0.
size_t countSites(const QueryPtr &query, const Catalog &catalog);
/// None: the change at that site does not fit the types.
std::optional<Mutant> mutate(const QueryPtr &query, const Catalog &catalog, size_t site);

/// The query over another catalog with the same tables and column types, nullability aside: types
/// are derived anew.
QueryPtr rebuilt(const QueryPtr &query, const Catalog &catalog);

/// A schema with one key or one NOT NULL less, and what went; none beyond the last site.
struct SchemaMutant {
  Catalog catalog;
  std::string what;
};
size_t countSchemaSites(const Catalog &catalog);
std::optional<SchemaMutant> mutateSchema(const Catalog &catalog, size_t site);

} // namespace imbrex::sql
