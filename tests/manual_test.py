#!/usr/bin/env python3
"""What there is to read about the commands: help, reference, manual page, completion, explanations.

usage: manual_test.py HEDDLE [unittest arguments]
"""

import json
import re
import subprocess
import unittest

import command
from command import ROOT, Files, heddle, output

COMMANDS = ("check run split merge worker attach replay compare explain cc c++ model fuzz bench "
            "help").split()
VERBATIM = ["cc", "c++"]  # take clang's options
REFERENCE = (ROOT / "docs/reference.md").read_text(encoding="utf-8")


def options_of(name):
    """The options of a command, as its help shows them."""
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", output(name, "--help"), re.MULTILINE)


class Help(Files):
    def test_lists_commands_and_statuses(self):
        shown = output("--help")
        self.assertEqual(shown, output("help"))
        self.assertEqual(shown, output("-h"))
        self.assertEqual(re.findall(r"^  ([a-z+]+) ", shown, re.MULTILINE), COMMANDS)
        self.assertEqual(re.findall(r"^  (\d+) ", shown, re.MULTILINE), "0 1 2 3 70".split())

    def test_each_command_has_usage_options_and_examples(self):
        for name in COMMANDS:
            shown = output("help", name)
            self.assertIn(f"\nusage: heddle {name}", shown)
            self.assertRegex(shown, rf"\nexamples:\n  # .+\n  .*heddle {re.escape(name)}")
            if name not in VERBATIM:
                self.assertEqual(shown, output(name, "--help"))
                self.assertEqual(options_of(name)[-1], "--help")
            self.assertLess(max(map(len, shown.splitlines())), 100)

    def test_help_comes_before_mistakes(self):
        self.assertIn("usage:", output("run", "--help"))
        self.assertIn("usage:", output("model", "a", "b", "-h"))

    def test_every_option_is_accepted(self):
        for name in COMMANDS:
            for option in [] if name in VERBATIM else options_of(name):
                run = heddle(name, option, "--help", cwd=self.directory)  # or that is its value
                self.assertNotIn(b"not expected", run.stderr, (name, option))
                self.assertIn(run.returncode, (0, 2), (name, option))

    def test_unknown(self):
        self.misuse("help", "nothing", says="unknown command 'nothing'")
        self.misuse("explain", "nothing", says="heddle explain lists")


class Made(unittest.TestCase):
    def test_reference_is_what_the_table_says(self):
        self.assertEqual(REFERENCE, output("help", "--markdown"),
                         "run: heddle help --markdown > docs/reference.md")

    def test_reference_has_every_option(self):
        for name in COMMANDS:
            section = REFERENCE.split(f"\n## heddle {name}\n")[1].split("\n## ")[0]
            if name not in VERBATIM:
                for option in options_of(name):
                    self.assertRegex(section, rf"\| `(-\w, )?{option}[ `]", name)

    def test_manual_page(self):
        page = output("help", "--man").encode()
        run = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-c"], input=page, check=True,
                             capture_output=True)
        self.assertEqual(run.stderr, b"")
        shown = re.sub(r"\s+", " ", re.sub(".\b", "", run.stdout.decode()))
        for part in ("heddle check [OPTION...] FILE...", "EXIT STATUS", "--spurious-wakeups",
                     "heddle explain data-race", "-o, --output FILE", "heddle c++"):
            self.assertIn(part, shown)

    def complete(self, *words):
        script = ('source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle;'
                  ' printf "%s\\n" "${COMPREPLY[@]}"')
        run = subprocess.run(["bash", "-c", script, "bash", "heddle", *words], check=True,
                             input=output("help", "--completion"), text=True, capture_output=True)
        self.assertEqual(run.stderr, "")
        return run.stdout.split()

    def test_completion(self):
        self.assertEqual(self.complete("c"), ["check", "compare", "cc", "c++"])
        self.assertEqual(self.complete("check", "--timeo"), ["--timeouts"])
        self.assertEqual(self.complete("check", "--races", ""), ["report", "explore"])
        self.assertEqual(self.complete("model", "--algorithm", "opt"), ["optimal"])
        self.assertEqual(self.complete("fuzz", "--shape", ""), [])  # has spaces
        self.assertEqual(sorted(self.complete("run", "--")), sorted(options_of("run")))


class Explain(unittest.TestCase):
    def topics(self, *which):
        return json.loads(output("explain", "--json", *which))["topics"]

    def test_every_kind_of_finding(self):
        kinds = (ROOT / "src/model/finding_kind.hpp").read_text(encoding="utf-8")
        names = re.findall(r'"([\w-]+)"', kinds.split("finding_names[] = {")[1].split("}")[0])
        self.assertGreater(len(names), 10)
        explained = [t["name"] for t in self.topics() if t["sort"] == "finding"]
        self.assertEqual(explained, [n for n in names if n != "none"])

    def test_says_all(self):
        for topic in self.topics():
            shown = output("explain", topic["name"])
            flat = re.sub(r"\s+", " ", shown)
            for key in "name", "sort", "summary", "meaning", "causes", "fix":
                self.assertIn(topic[key], flat)
            for line in topic["example"].splitlines():
                self.assertIn("    " + line, shown)
            self.assertEqual(self.topics(topic["name"]), [topic])
            self.assertFalse(topic["summary"].endswith("."), topic["name"])
            for key in "meaning", "causes", "fix":
                self.assertTrue(topic[key].endswith("."), topic["name"])

    def test_lists_all(self):
        shown = output("explain")
        for topic in self.topics():
            self.assertRegex(shown, rf"\n  {topic['name']}\s")


if __name__ == "__main__":
    command.main()
