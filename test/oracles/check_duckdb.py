#!/usr/bin/env python3
"""Reads Parquet and DuckDB files through DuckDB's library and compares with the same data as CSV.

  test/oracles/check_duckdb.py IMBREX-TEA

DuckDB's wheel for Python holds its library; its C API needs nothing of Python but wants to find its symbols.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import _duckdb
import duckdb

PYTHON_LIBRARY = "libpython3.11.so.1.0"
STUDY = """data {data}
  key: id
variables
  group: nominal [old, "new, ü"]
  score: ratio
  kept: nominal [false, true]
design experiment
  independent: group
  dependent: score, kept
hypothesis
  score by group: old < "new, ü"
  kept by group
"""


def rows():
    for i in range(5000):
        group = '"new, ü"' if i % 2 else "old"
        score = "" if i % 7 == 0 else repr(10 + i % 2 + math.sin(i) * 3)
        yield f"{i},{group},{score},{'true' if i % 5 > i % 2 else 'false'}"


def write_files(folder):
    csv = folder / "d.csv"
    csv.write_text("id,group,score,kept\n" + "\n".join(rows()) + "\n", encoding="utf-8")
    source = f"SELECT * FROM read_csv('{csv}')"
    duckdb.sql(f"COPY ({source}) TO '{folder / 'd.parquet'}' (FORMAT parquet)")
    with duckdb.connect(str(folder / "d.duckdb")) as database:
        database.sql(f'CREATE TABLE "the data" AS {source}')


def run(program, study, *options):
    done = subprocess.run([program, "run", str(study), "--json", *options], capture_output=True, text=True,
                          env={**os.environ, "LD_PRELOAD": PYTHON_LIBRARY})
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}


def main():
    program = sys.argv[1]
    library = ["--duckdb-library", _duckdb.__file__]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        sources = {"csv": "d.csv", "Parquet": "d.parquet",
                   "a query on Parquet": 'd.parquet\n  query: "SELECT * FROM data ORDER BY id"',
                   "a table of DuckDB": "d.duckdb\n  table: the data",
                   "a query on DuckDB": "d.duckdb\n  query: \"SELECT * FROM 'the data' ORDER BY id\""}
        answers = {}
        for title, data in sources.items():
            study = folder / "s.tea"
            study.write_text(STUDY.format(data=data.replace("'the data'", '\\"the data\\"')), encoding="utf-8")
            answers[title] = run(program, study, *(library if title != "csv" else []))
        expected = answers.pop("csv")
        same = 0
        for title, answer in answers.items():
            good = "hypotheses" in answer and answer["hypotheses"] == expected.get("hypotheses")
            same += good
            if not good:
                print(f"{title}: {json.dumps(answer)[:300]}")
        compared = subprocess.run([program, "compare", str(folder / "d.csv"), str(folder / "d.parquet"), "--column",
                                   "score", *library], capture_output=True, text=True,
                                  env={**os.environ, "LD_PRELOAD": PYTHON_LIBRARY}).stdout
        if not compared.startswith("no difference was shown") or "n = 8570" not in compared:
            print(f"compare: {compared}")
            same -= 1
        refused = run(program, folder / "s.tea", "--data", str(folder / "d.parquet"), "--duckdb-library", "none.so")
        absent = "E0820" in refused.get("error", "")
        print(f"check-duckdb: {same} of {len(answers)} sources give the numbers of their CSV, a missing library is "
              f"{'named' if absent else 'NOT named'}; DuckDB {duckdb.__version__}")
        return 0 if same == len(answers) and absent else 1


if __name__ == "__main__":
    sys.exit(main())
