"""docs/guide/launch-kernels.md: its code stands in the example that is compiled, and the example prints what it quotes."""

import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
BIN = sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin"


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


class GuideTest(unittest.TestCase):
    def blocks(self, kind):
        found = re.findall(r"^```(\w*)\n(.*?)^```$", read("docs/guide/launch-kernels.md"), re.M | re.S)
        return [text for word, text in found if word == kind]

    def test_code_is_that_of_the_example(self):
        source = read("examples/tile-kernel/main.cpp") + read("examples/tile-kernel/tune.cpp")
        blocks = self.blocks("cpp")
        self.assertGreaterEqual(len(blocks), 5)
        for block in blocks:
            self.assertIn(block, source)

    def test_output_is_that_of_the_example(self):
        done = subprocess.run([os.path.join(BIN, "tile-kernel")], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Places depend on lines of the example and on where it was built.
        printed = re.sub(r"\S*examples/tile-kernel/main.cpp:\d+", "examples/tile-kernel/main.cpp:LINE", done.stdout)
        quotes = [b.strip() for b in self.blocks("") if b.startswith("error")]
        self.assertEqual(len(quotes), 2)
        for quote in quotes:
            self.assertIn(quote, printed)


if __name__ == "__main__":
    unittest.main()
