#include "proof/sql/explain/Explain.h"

#include "proof/sql/bind/Bind.h"

#include <gtest/gtest.h>

using namespace imbrex;
using namespace imbrex::sql;

namespace {

const char *Tables =
    "CREATE TABLE customer (id INT PRIMARY KEY, name VARCHAR NOT NULL, city VARCHAR);"
    "CREATE TABLE invoice (id INT PRIMARY KEY, customer INT NOT NULL REFERENCES "
    "customer (id), total INT, paid BOOLEAN NOT NULL);"
    "CREATE TABLE log (k INT, v INT);";

Explanation explain(const std::string &a, const std::string &b, Semantics semantics = {}) {
  Result<Schema> schema = readSchema(Tables, "schema", semantics);
  EXPECT_TRUE(schema.ok());
  Result<BoundQuery> first = readQuery(a, "a", *schema, semantics);
  Result<BoundQuery> second = readQuery(b, "b", *schema, semantics);
  EXPECT_TRUE(first.ok() && second.ok());
  return explainProof(*first->query, *second->query, schema->catalog, semantics, 10);
}

std::string last(const std::vector<std::string> &steps) {
  return steps.empty() ? "" : steps.back();
}

} // namespace

TEST(Explain, SaysWhatEachQueryCounts) {
  Explanation result = explain(
      "SELECT c.name, i.total FROM customer c JOIN invoice i ON i.customer = c.id "
      "WHERE NOT i.paid AND i.total + 1 > 5",
      "SELECT name, total FROM invoice, customer WHERE customer.id = customer AND total >= 5 "
      "AND paid = FALSE");
  ASSERT_EQ(result.first.size(), 1u);
  EXPECT_EQ(
      result.first[0],
      "for each row i1 of invoice where customer[i1.customer] exists and not i1.paid and "
      "i1.total IS NOT NULL and i1.total > 4: the row (customer[i1.customer].name, i1.total)");
  EXPECT_TRUE(result.complete) << result.missing;
}

TEST(Explain, PairsThePartsOfUnions) {
  Explanation result = explain("SELECT k FROM log WHERE v = 1 UNION ALL SELECT id FROM customer",
                               "SELECT id FROM customer UNION ALL SELECT k FROM log WHERE v = 1");
  EXPECT_EQ(result.first.size(), 2u);
  EXPECT_EQ(result.first[0],
            "for each row l1 of log where l1.v = 1: the row (l1.k), as often as it occurs");
  ASSERT_EQ(result.steps.size(), 2u);
  EXPECT_EQ(result.steps[0],
            "Part 1 of the first query and part 2 of the second query are the same, "
            "up to the names of rows.");
  EXPECT_TRUE(result.complete);
}

TEST(Explain, AddsUpWhatHasNoCounterpart) {
  Explanation result =
      explain("SELECT id FROM customer", "SELECT id FROM customer WHERE city = 'a' UNION ALL "
                                         "SELECT id FROM customer WHERE (city = 'a') IS NOT TRUE");
  EXPECT_TRUE(result.complete) << result.missing;
  EXPECT_TRUE(last(result.steps).starts_with("Added up")) << last(result.steps);
}

TEST(Explain, NamesWhatIsLeft) {
  Explanation result = explain("SELECT name FROM customer WHERE city LIKE 'A%'",
                               "SELECT name FROM customer WHERE SUBSTRING(city, 1, 1) = 'A'");
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.missing, "no counterpart was found for the first query, and the second query");
  EXPECT_NE(result.second[0].find("SUBSTRING(c1.city, 1, 1) = 'A'"), std::string::npos);
}

TEST(Explain, SaysThatListsHaveKeys) {
  Explanation result =
      explain("SELECT id FROM customer ORDER BY id", "SELECT c.id FROM customer c ORDER BY c.id");
  EXPECT_TRUE(result.complete) << result.missing;
  EXPECT_TRUE(result.steps[0].starts_with("Both results are lists")) << result.steps[0];
  Semantics sets;
  sets.comparison = Comparison::Set;
  EXPECT_TRUE(explain("SELECT k FROM log", "SELECT DISTINCT k FROM log", sets).complete);
}

TEST(Explain, ListsConstraintsWithTheSchemaWithoutThem) {
  Result<Schema> schema = readSchema(Tables, "schema", {});
  std::vector<Constraint> constraints = constraintsOf(schema->catalog, {});
  std::vector<std::string> texts;
  for (const Constraint &constraint : constraints)
    texts.push_back(constraint.text);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"PRIMARY KEY (id) of customer", "NOT NULL of customer.name",
                                      "PRIMARY KEY (id) of invoice",
                                      "FOREIGN KEY (customer) of invoice to customer",
                                      "NOT NULL of invoice.customer", "NOT NULL of invoice.paid"}));
  EXPECT_TRUE(constraints[0].without.tables[0].keys.empty());
}
