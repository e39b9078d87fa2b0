"""Running `imbrex` as a person does, for the tests beside this file: exit code, output, error text."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

BIN = sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin"

GOOD, NO, BAD_INPUT, UNSUPPORTED, INTERNAL = 0, 1, 2, 3, 70
# what is wrong; because …; try …
ERROR = re.compile(r"^(\S+: )?(internal )?error\[E\d{4}\]: \S.*", re.M)


class CommandTest(unittest.TestCase):
    """Each test has a folder of its own, which also holds the cache of compiled models."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def imbrex(self, *arguments, expect=GOOD):
        """Runs `imbrex ARGUMENTS`, checks the exit code and the form of an error; returns (stdout, stderr)."""
        environment = dict(os.environ, XDG_CACHE_HOME=self.path("cache"))
        done = subprocess.run([os.path.join(BIN, "imbrex"), *arguments], env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        said = f"imbrex {' '.join(arguments)}\nstdout: {done.stdout}\nstderr: {done.stderr}"
        self.assertEqual(done.returncode, expect, said)
        if expect in (BAD_INPUT, UNSUPPORTED, INTERNAL):
            self.assertRegex(done.stderr, ERROR, said)
        if expect == GOOD:
            self.assertNotRegex(done.stderr, ERROR, said)
        return done.stdout, done.stderr

    def json(self, *arguments, expect=GOOD):
        return json.loads(self.imbrex(*arguments, "--json", expect=expect)[0])

    def refuses(self, code, *arguments, expect=BAD_INPUT):
        """The command is refused with error code E<code>; returns the text."""
        stderr = self.imbrex(*arguments, expect=expect)[1]
        self.assertIn(f"[E{code:04}]", stderr)
        return stderr


def main():
    unittest.main(verbosity=2)
