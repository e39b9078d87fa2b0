// Without the library, which tests do not have; `make check-duckdb` reads real files with it.
#include "support/duckdb/Duckdb.h"

#include <gtest/gtest.h>

namespace imbrex::duckdb {
namespace {

TEST(Duckdb, SaysThatTheLibraryIsMissing) {
  auto api = loadLibrary("no/such/libduckdb.so");
  ASSERT_FALSE(api.ok());
  EXPECT_EQ(api.error().code, 820);
  EXPECT_NE(api.error().str().find("no/such/libduckdb.so"), std::string::npos);
  EXPECT_NE(api.error().str().find("--duckdb-library"), std::string::npos);
}

TEST(Duckdb, RefusesAnotherLibrary) {
  auto api = loadLibrary("libm.so.6");
  ASSERT_FALSE(api.ok());
  EXPECT_EQ(api.error().code, 820);
  EXPECT_NE(api.error().str().find("has no duckdb_library_version"), std::string::npos);
}

TEST(Duckdb, QuotesAsSqlDoes) {
  EXPECT_EQ(literal("it's"), "'it''s'");
  EXPECT_EQ(identifier("a \"b\""), "\"a \"\"b\"\"\"");
}

} // namespace
} // namespace imbrex::duckdb
