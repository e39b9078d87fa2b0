"""imbrex itself: finding sub-commands, help, the version, and what it says to a mistake."""

import cli


class Dispatcher(cli.CommandTest):
    def test_prints_its_version(self):
        self.assertRegex(self.imbrex("--version")[0], r"^imbrex \d+\.\d+\.\d+\n$")

    def test_lists_the_commands(self):
        out = self.imbrex("help")[0]
        for command in ("run", "compile", "info", "explain", "verify", "doctor"):
            self.assertRegex(out, rf"(?m)^  {command} ")

    def test_asks_for_a_command(self):
        self.assertIn("try imbrex help", self.refuses(700))

    def test_suggests_the_command_that_was_meant(self):
        self.assertIn("try imbrex doctor", self.refuses(701, "docter"))
        self.assertIn("try imbrex info", self.refuses(701, "inof"))

    def test_has_no_suggestion_for_nonsense(self):
        self.assertIn("try imbrex help", self.refuses(701, "quetzalcoatl"))

    def test_runs_nothing_outside_its_folders(self):
        self.refuses(701, "../imbrex")
        self.refuses(701, "--no-such-flag")

    def test_help_of_a_command_is_its_own(self):
        self.assertEqual(self.imbrex("help", "doctor"), self.imbrex("doctor", "--help"))
        self.assertEqual(self.imbrex("help", "doctor", "--json"), self.imbrex("doctor", "--help"))


class Doctor(cli.CommandTest):
    def test_prints_json(self):
        report = self.json("doctor")
        self.assertGreaterEqual(report["threads"]["usable"], 1)
        self.assertGreater(report["memory"]["total"], 0)
        self.assertEqual(report["cache"], {"folder": self.path("cache") + "/imbrex", "models": 0, "kernels": 0})
        self.assertIn("avx" if report["system"]["machine"] == "x86_64" else "neon",
                      report["cpu"]["features"])

    def test_prints_sections(self):
        out = self.imbrex("doctor")[0]
        for section in ("system", "cpu", "threads", "memory", "programs", "engines", "cache"):
            self.assertRegex(out, rf"(?m)^{section}$")

    def test_help_lists_every_flag(self):
        out = self.imbrex("doctor", "--help")[0]
        for flag in ("--help", "--json"):
            self.assertIn(flag, out)

    def test_refuses_unknown_flags(self):
        self.assertIn("imbrex doctor --help", self.refuses(700, "doctor", "--jsno"))


if __name__ == "__main__":
    cli.main()
