"""Every use of docs/guide/statistics.md, as guide_sql_test.py runs that of SQL. --update writes what is printed."""

import os
import sys

import guide_sql_test

GUIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/guide/statistics.md")

if __name__ == "__main__":
    sys.exit(guide_sql_test.main(GUIDE, tools=(), least=9))
