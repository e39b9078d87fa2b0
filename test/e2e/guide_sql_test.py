"""Every use of docs/guide/sql.md: its files are written, its commands run, its outputs compared (but for times).

guide_sql_test.py BIN --update writes what the commands print into the guide."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

GUIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/guide/sql.md")


def comparable(text):
    text = re.sub(r"\d+\.\d+( s\b)", r"T\1", text)
    text = re.sub(r"(equivalent|unknown|unreadable) +\d+\.\d+", r"\1 T", text)
    text = re.sub(r"no difference in \d+", "no difference in N", text)
    text = re.sub(r"SQLite \d[\d.]*|PostgreSQL \d[\d.]*", "ENGINE", text)
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


class Guide:
    def __init__(self, text, folder, programs):
        self.lines, self.folder, self.out = text.split("\n"), folder, []
        self.environment = dict(os.environ, PATH=os.path.abspath(programs) + ":" + os.environ["PATH"])
        self.failures, self.commands = [], 0

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text + "\n")

    def shell(self, command):
        run = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                             capture_output=True, timeout=120)
        return (run.stdout + run.stderr).rstrip("\n")

    def run(self):
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            self.out.append(line)
            at += 1
            if not line.startswith("```"):
                continue
            end = self.lines.index("```", at)
            self.out += self.block(line[3:], self.lines[at:end]) + ["```"]
            at = end + 1
        return self.out

    def block(self, language, lines):
        before = "\n".join(self.out[:-1]).rstrip().split("\n\n")[-1]
        for name, text in re.findall(r"`([\w.]+)`\s+is\s+`([^`]+)`", before):
            self.write(name, text)
        named = re.search(r"`([\w./]+)`[^`]*:$", before)
        if language and named:
            self.write(named.group(1), "\n".join(lines))
        if language or not lines:
            return lines
        if not any(line.startswith("$ ") for line in lines):
            if lines[0].startswith("mkdir "):
                self.shell("\n".join(lines))
            return lines
        result, at = [], 0
        while at < len(lines):
            command, at = lines[at], at + 1
            start = at
            while at < len(lines) and not lines[at].startswith("$ "):
                at += 1
            expected, actual = "\n".join(lines[start:at]), self.shell(command[2:])
            self.commands += 1
            if comparable(expected) != comparable(actual):
                self.failures.append(f"{command}\n--- the guide\n{expected}\n--- now\n{actual}\n")
            result.append(command)
            if actual:
                result += actual.split("\n")
            if at < len(lines):
                result += [""] if expected.endswith("\n") and not actual.endswith("\n") else []
        return result


def main(path=GUIDE, tools=("jq",), least=12):
    for tool in tools:
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            return 0
    with open(path) as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        guide = Guide(text, folder, sys.argv[1])
        lines = guide.run()
    if "--update" in sys.argv:
        with open(path, "w") as file:
            file.write("\n".join(lines))
        return 0
    print("\n".join(guide.failures) + f"guide: {guide.commands - len(guide.failures)} of {guide.commands}")
    return 1 if guide.failures or guide.commands < least else 0


if __name__ == "__main__":
    sys.exit(main())
