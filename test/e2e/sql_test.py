"""imbrex sql: two queries, suites of them, the rules that are shipped, and input that is none."""

import itertools
import json
import os
import random
import subprocess

import cli

SCHEMA = b"CREATE TABLE log (k INT, v INT);"
SUITE = b"""=== schema
CREATE TABLE log (k INT, v INT);
=== filters change places: equivalent
SELECT k FROM (SELECT * FROM log WHERE k > 1) x WHERE v > 1
=== and
SELECT k FROM (SELECT * FROM log WHERE v > 1) x WHERE k > 1
=== duplicates: not equivalent
SELECT k FROM log
=== and
SELECT DISTINCT k FROM log
"""


class Sql(cli.CommandTest):
    def prove(self, first, second, *arguments, expect=cli.GOOD):
        return self.imbrex("sql", "prove", self.write("a.sql", first), self.write("b.sql", second),
                           "--schema", self.write("s.sql", SCHEMA), *arguments, expect=expect)[0]

    def test_proves(self):
        out = self.prove(b"SELECT k FROM log WHERE k = 1 AND v = 2", b"SELECT k FROM log WHERE v = 2 AND k = 1")
        self.assertRegex(out, r"^EQUIVALENT \(")
        self.assertIn("semantics: dialect standard", out)

    def test_shows_a_database_where_the_queries_differ(self):
        out = self.prove(b"SELECT COUNT(*) FROM log", b"SELECT COUNT(v) FROM log;", expect=cli.NO)
        self.assertRegex(out, r"^NOT EQUIVALENT \(")
        self.assertIn("confirmed by running both queries on SQLite", out)
        self.assertIn("INSERT INTO log", out)

    def test_prints_json(self):
        files = [self.write(name, b"SELECT 1") for name in ("a.sql", "b.sql")]
        self.assertEqual(self.json("sql", "prove", *files)["verdict"], "equivalent")

    def test_says_which_columns_do_not_fit(self):
        out = self.prove(b"SELECT k FROM log", b"SELECT k, v FROM log", expect=cli.NO)
        self.assertIn("the first query has 1 columns, the second 2", out)

    def explain(self, first, second, *arguments, expect=cli.GOOD, schema=SCHEMA):
        return self.imbrex("sql", "explain", self.write("a.sql", first), self.write("b.sql", second),
                           "--schema", self.write("s.sql", schema), *arguments, expect=expect)[0]

    def test_explains_in_words(self):
        keyed = b"CREATE TABLE log (k INT PRIMARY KEY, v INT);"
        out = self.explain(b"SELECT DISTINCT k FROM log WHERE v = 1", b"SELECT k FROM log WHERE v = 1", schema=keyed)
        self.assertIn("1. for each row l1 of log where l1.v IS NOT NULL and l1.v = 1: the row (l1.k)", out)
        self.assertIn("The first query and the second query are the same, up to the names of rows.", out)
        self.assertIn("PRIMARY KEY (k) of log; without it the queries differ, as on this database:", out)
        self.assertIn("INSERT INTO log VALUES", out)

    def test_explains_a_difference(self):
        out = self.explain(b"SELECT k FROM log", b"SELECT DISTINCT k FROM log", expect=cli.NO)
        self.assertIn("The rows after each query are its result on this database.", out)

    def test_explains_as_json(self):
        files = [self.write(name, b"SELECT 1") for name in ("a.sql", "b.sql")]
        answer = self.json("sql", "explain", *files)
        self.assertEqual((answer["verdict"], answer["complete"], answer["needs"]), ("equivalent", True, []))
        self.assertEqual(answer["first"], ["one row (1)"])

    def test_decides_suites(self):
        out = self.imbrex("sql", "prove", "--suite", self.write("two.sqltest", SUITE))[0]
        self.assertTrue(out.endswith("two: 2 of 2\n"), out)

    def test_contradicted_expectations_are_a_no(self):
        suite = self.write("one.sqltest", SUITE.replace(b"duplicates: not equivalent", b"duplicates: equivalent"))
        out = self.imbrex("sql", "prove", "--suite", suite, expect=cli.NO)[0]
        self.assertIn("expected: equivalent", out)

    def test_lists_rules(self):
        self.assertIn("the count bug", self.imbrex("sql", "rules")[0])
        self.assertIn("COUNT(y.shipdate)", self.imbrex("sql", "rules", "the count bug")[0])
        self.refuses(1063, "sql", "rules", "no such rule")

    def test_places_errors(self):
        bad = self.write("a.sql", b"SELECT k\nFROM lag")
        text = self.refuses(1020, "sql", "prove", bad, bad, "--schema", self.write("s.sql", SCHEMA))
        self.assertIn("a.sql:2:6: error[E1020]: there is no table lag", text)

    def test_takes_options_in_any_order(self):
        files = [self.write("a.sql", b"SELECT k FROM log ORDER BY k"), self.write("b.sql", b"SELECT k FROM log ORDER BY k DESC")]
        options = [["--schema", self.write("s.sql", SCHEMA)], ["--compare", "bag"], ["--dialect", "postgres"], ["--json"]]
        orders = list(itertools.permutations(options + [files]))
        for order in random.Random(1).sample(orders, 12):
            words = [word for group in order for word in group]
            self.assertIn('"verdict": "equivalent"', self.imbrex("sql", "prove", *words)[0], words)

    def test_options_change_the_verdict_and_stand_in_it(self):
        asked = (
            (b"SELECT k FROM log ORDER BY k", b"SELECT k FROM log ORDER BY k NULLS LAST", ["--nulls", "smallest"],
             "NULL sorts as the largest value", "NULL sorts as the smallest value"),
            (b"SELECT k FROM log ORDER BY k", b"SELECT k FROM log ORDER BY k NULLS LAST", ["--dialect", "sqlite"],
             "NULL sorts as the largest value", "NULL sorts as the smallest value"),
            (b"SELECT COUNT(*) FROM log", b"SELECT COUNT(*) FROM log WHERE '' IS NOT NULL", ["--empty-is-null"],
             "'' is no NULL", "'' is NULL"),
            (b"SELECT k FROM log", b"SELECT k / 2 * 2 FROM log", ["--exact-division"],
             "integer division truncates", "integer division is exact"),
            (b"SELECT k + 1 FROM log", b"SELECT 1 + k FROM log", ["--overflow-counts"],
             "overflow does not count", "overflow counts"),
            (b"SELECT 1 / v FROM log WHERE v = 0", b"SELECT 5 FROM log WHERE v = 0", ["--errors-are-null"],
             "errors do not count", "errors give NULL"),
            (b"SELECT k FROM log", b"SELECT DISTINCT k FROM log", ["--compare", "set"],
             "compared as bag", "compared as set"),
        )
        for first, second, option, without, with_it in asked:
            verdicts = []
            for options, text in (([], without), (option, with_it)):
                words = ["sql", "prove", self.write("a.sql", first), self.write("b.sql", second), "--schema",
                         self.write("s.sql", SCHEMA), "--json", *options]
                answer = self.answer(*words)
                self.assertIn(text, answer["semantics"])
                verdicts.append(answer["verdict"])
            self.assertNotEqual(verdicts[0], verdicts[1], (first, second, option))

    def answer(self, *words):
        done = subprocess.run([os.path.join(cli.BIN, "imbrex"), *words], capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout)

    def test_refuses_wrong_use(self):
        self.refuses(701, "sql", "prov")
        self.refuses(700, "sql", "prove", self.path("a.sql"))
        self.refuses(1000, "sql", "prove", self.path("a.sql"), self.path("b.sql"))
        one = self.write("a.sql", b"SELECT 1")
        self.refuses(700, "sql", "prove", one, one, "--dialect", "klingon")
        self.refuses(700, "sql", "prove", one, one, "--timeout", "soon")
        self.refuses(1060, "sql", "prove", "--suite", self.folder + "/.")


if __name__ == "__main__":
    cli.main()
