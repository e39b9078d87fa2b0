"""imbrex tea: from a declared study to an answer."""

import json
import os
import re
import sqlite3

import cli

DATA = "g,y\n" + "".join(f"{g},{y}\n" for g, ys in (("A", [5.1, 4.8, 5.6, 5.0, 4.4, 5.3, 4.9]),
                                                  ("B", [6.2, 5.9, 6.8, 6.1, 6.5, 5.6, 6.3])) for y in ys)
STUDY = """data data.csv
variables
  g: nominal [A, B]
  y: ratio
design experiment
  independent: g
  dependent: y
hypothesis y by g: B > A
"""


class Tea(cli.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("data.csv", DATA.encode())
        self.study = self.write("study.tea", STUDY.encode())

    def test_runs_a_study(self):
        out = self.imbrex("tea", "run", self.study)[0]
        self.assertIn("the data support the hypothesis", out)
        self.assertIn("Welch's t test (welchs_t)", out)
        self.assertRegex(out, r"APA +Welch's t-test, one-sided: t\([\d.]+\) = 5\.\d\d, p < .001, d = ")
        self.assertNotRegex(out, r"p = 0*\.?0+ ")

    def test_data_given_as_a_study_is_one_error(self):
        err = self.refuses(1232, "tea", "run", self.path("data.csv"))
        self.assertEqual(err.count("error"), 1, err)
        self.assertIn("is no study", err)

    def test_says_that_p_is_adjusted(self):
        two = self.write("two.tea", (STUDY + "hypothesis y by g\n").encode())
        out = self.imbrex("tea", "run", two)[0]
        self.assertRegex(out, r"decision +the data support the hypothesis \(p = [\d.e-]+ adjusted by Holm, alpha 0.05\)")

    def test_power_answers_what_it_can(self):
        three = STUDY.replace("  y: ratio", "  y: ratio\n  h: nominal [C, D]").replace("independent: g", "independent: g, h")
        out, err = self.imbrex("tea", "power", self.write("three.tea", (three + "hypothesis y by g, h\n").encode()),
                               expect=cli.UNSUPPORTED)
        self.assertRegex(out, r"(?s)^H1  .*power 0\.8.*\nH2  y by g, h\n$")
        self.assertIn("error[E1260]", err)

    def test_json_has_every_verdict(self):
        h = self.json("tea", "run", self.study)["hypotheses"][0]
        self.assertEqual((h["decision"], h["chosen"]), ("supported", "welchs_t"))
        verdicts = {v["id"]: v["validity"] for v in h["verdicts"]}
        self.assertEqual(verdicts["students_t"], "valid")
        self.assertEqual(verdicts["paired_students_t"], "rejected")

    def test_why_not(self):
        out = self.imbrex("tea", "why-not", self.study, "paired_students_t", expect=cli.NO)[0]
        self.assertIn("the observations are not paired", out)
        self.assertIn("it would be valid if", out)

    def test_plans_without_data(self):
        svg = self.path("plan.svg")
        out = self.imbrex("tea", "plan", self.study, "--svg", svg)[0]
        self.assertIn("├─ yes: ", out)
        with open(svg, encoding="utf-8") as file:
            drawn = file.read()
        self.assertTrue(drawn.startswith("<svg"))
        self.assertIn("no test is valid:", drawn)

    def test_the_formatter_round_trips(self):
        text = self.imbrex("tea", "check", self.study, "--format")[0]
        again = self.imbrex("tea", "check", self.write("again.tea", text.encode()), "--format")[0]
        self.assertEqual(text, again)

    def test_reads_databases(self):
        database = sqlite3.connect(self.path("data.sqlite"))
        database.execute("create table answers(g, y)")
        database.executemany("insert into answers values (?, ?)",
                             [line.split(",") for line in DATA.splitlines()[1:]])
        database.commit()
        database.close()
        study = STUDY.replace("data data.csv", "data data.sqlite\n  table: answers")
        out = self.imbrex("tea", "run", self.write("db.tea", study.encode()))[0]
        self.assertIn("Welch's t test", out)

    def test_compares_two_files(self):
        a = self.write("a.csv", b"ms\n" + b"".join(b"%d\n" % (100 + i) for i in range(30)))
        b = self.write("b.csv", b"ms\n" + b"".join(b"%d\n" % (103 + i) for i in range(30)))
        self.assertTrue(self.imbrex("tea", "compare", a, a)[0].startswith("no difference was shown"))
        c = self.write("c.csv", b"ms\n" + b"".join(b"%d\n" % (130 + i) for i in range(30)))
        self.assertTrue(self.imbrex("tea", "compare", a, c)[0].startswith("a.csv and c.csv differ"))
        self.assertEqual(len(self.imbrex("tea", "compare", a, b)[0].splitlines()), 1)

    def test_plan_prints_json_alone(self):
        svg = os.path.join(os.path.dirname(self.study), "plan.svg")
        answer = json.loads(self.imbrex("tea", "plan", self.study, "--json", "--svg", svg)[0])
        self.assertEqual(answer["hypotheses"][0]["svg"], svg)
        self.assertTrue(os.path.exists(svg))
        self.assertIn(f"wrote {svg}", self.imbrex("tea", "plan", self.study, "--svg", svg)[0])

    def test_compares_what_run_reads(self):
        numbers = [(i, 100 + i % 7) for i in range(30)]
        csv = self.write("a.csv", b"ms\n" + b"".join(b"%d\n" % ms for _, ms in numbers))
        tsv = self.write("a.tsv", b"run\tms\n" + b"".join(b"r%d\t%d,5\n" % row for row in numbers))
        path = os.path.join(os.path.dirname(csv), "a.db")
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE runs (run, ms, note BLOB)")
            database.executemany("INSERT INTO runs VALUES (?, ?, x'00')", [(f"r{i}", ms + 40) for i, ms in numbers])
        out = self.imbrex("tea", "compare", csv, tsv)[0]
        self.assertIn("(Hodges-Lehmann) -0.5000,", out)
        out = self.imbrex("tea", "compare", csv, path, "--column", "ms", "--table", "runs")[0]
        self.assertTrue(out.startswith("a.csv and a.db differ"), out)
        out = self.imbrex("tea", "compare", csv, path, "--query", "SELECT ms AS seconds FROM runs")[0]
        self.assertIn("The columns are 'ms' and 'seconds'.", out)
        err = self.refuses(1233, "tea", "compare", csv, path)
        self.assertIn("--table", err)
        err = self.refuses(1259, "tea", "compare", csv, path, "--query", "SELECT ms, 2 * ms AS twice FROM runs")
        self.assertIn("they are ms, twice; try --column NAME", err)
        self.refuses(1212, "tea", "compare", csv, path, "--table", "runs")
        self.refuses(700, "tea", "compare", csv, path, "--table", "runs", "--query", "SELECT 1")

    def test_errors_have_a_place_and_a_remedy(self):
        study = self.write("bad.tea", STUDY.replace("dependent: y", "dependant: y").encode())
        err = self.refuses(1232, "tea", "check", study)
        self.assertRegex(err, re.escape(study) + r":7:3: error\[E1232\]: .*try 'dependent'")

    def test_help_names_what_exists(self):
        out = self.imbrex("tea", "--help")[0]
        for command in ("run", "plan", "power", "why-not", "check", "compare"):
            self.assertIn(f"  {command} ", out)


if __name__ == "__main__":
    cli.main()
