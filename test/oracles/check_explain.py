#!/usr/bin/env python3
"""Opens the pages of `imbrex explain` in Chromium without a screen.

  check_explain.py IMBREX-EXPLAIN MODEL[,OPTION...] ...

A page is good when its script ran to the end, nothing was asked of a network or reported as an error, every group of operators
is drawn, and no block lies upon another of the same parent. Prints `explain: P of N` last; exit code 1 unless all are good.
"""

import html.parser
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


class Blocks(html.parser.HTMLParser):
    """The blocks of the drawn graph: (x, y, width, height) by their parent."""

    def __init__(self):
        super().__init__()
        self.stack, self.boxes, self.ready = [], {}, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "html":
            self.ready = attrs.get("data-ready")
        if tag == "g":
            place = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", attrs.get("transform") or "")
            block = attrs.get("data-block")
            self.stack.append((block, [float(v) for v in place.groups()] if place else None))
        if tag == "rect" and attrs.get("class") == "box" and self.stack and self.stack[-1][0]:
            parent = next((b for b, _ in reversed(self.stack[:-1]) if b), "")
            x, y = self.stack[-1][1]
            self.boxes.setdefault(parent, []).append((x, y, float(attrs["width"]), float(attrs["height"])))

    def handle_endtag(self, tag):
        if tag == "g" and self.stack:
            self.stack.pop()


def overlaps(boxes):
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]
            if a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]]


def open_page(page, hash_, folder):
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
               "--virtual-time-budget=8000", "--window-size=1500,1000", "--enable-logging=stderr", "--dump-dom",
               f"file://{page}#{hash_}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return done.stdout, complaints


def problem(explain, model, folder):
    model, *options = model.split(",")
    page = Path(folder) / "page.html"
    subprocess.run([explain, model, *options, "-o", page], check=True, stdout=subprocess.DEVNULL)
    data = json.loads(subprocess.run([explain, model, *options, "--json"], check=True, capture_output=True, text=True).stdout)
    groups = len({(n["group"]) for n in data["nodes"] if n["parent"] < 0 and n["group"] >= 0})
    for hash_ in ("fit", "open"):
        dom, complaints = open_page(page, hash_, folder)
        blocks = Blocks()
        blocks.feed(dom)
        if not blocks.ready:
            return f"#{hash_}: the script did not end"
        if complaints:
            return f"#{hash_}: {complaints[0]}"
        if len(blocks.boxes.get("", [])) < groups:
            return f"#{hash_}: {len(blocks.boxes.get('', []))} blocks for {groups} groups"
        for boxes in blocks.boxes.values():
            if overlaps(boxes):
                return f"#{hash_}: blocks overlap: {overlaps(boxes)[0]}"
    return ""


def main():
    explain, models = sys.argv[1], sys.argv[2:]
    good = 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            found = problem(explain, model, folder)
        print(f"{model}: {found or 'good'}", flush=True)
        good += not found
    print(f"explain: {good} of {len(models)}")
    return 0 if good == len(models) else 1


if __name__ == "__main__":
    sys.exit(main())
