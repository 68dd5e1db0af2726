#!/usr/bin/env python3
"""Results for tools: JSON, JUnit XML and SARIF against their schemas, and how files are written.

The schema of JSON is ours; the others are the official ones (tests/schemas.py).

usage: formats_test.py HEDDLE [unittest arguments]
"""

import json
import os
import re
import stat
import subprocess
import unittest
import xml.etree.ElementTree as xml

import jsonschema

import command
import schemas
from command import ROOT, Files, heddle, output

EXAMPLES = ROOT / "examples/native"
VACUOUS = """
#include <heddle/heddle.h>
int main(void) { heddle_assume(heddle_choose(2) > 5); }
"""
SPIN = """#include <stdatomic.h>
#include <pthread.h>
static atomic_int a;
static void* other(void* p) { for (;;) { int x = a; a = x + 1; if (x < 0) return p; } }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  return pthread_join(t, 0);
}
"""
DIES = """#include <stdlib.h>
#include <unistd.h>
int main(void) {
  if (write(1, "here\\n", 5) == 5) abort();
}
"""


def validator_of(text):
    schema = json.loads(text)
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    return validator(schema)


RESULT = validator_of((ROOT / "docs/json-schema.json").read_bytes())


class Programs(Files):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = command.tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        sources = {"right": EXAMPLES / "lost-update-fixed.c", "race": EXAMPLES / "lost-update.c",
                   "stuck": EXAMPLES / "bounded-queue.cpp"}
        for name, text in ("endless", SPIN), ("vacuous", VACUOUS), ("a <b>&\"'", DIES):
            sources[name] = os.path.join(cls.shared.name, name + ".c")
            with open(sources[name], "w", encoding="utf-8") as out:
                out.write(text)
        for name, source in sources.items():
            compiler = ["c++", "-std=c++20"] if str(source).endswith("cpp") else ["cc"]
            # As from the root: places in reports are relative to it.
            output(*compiler, os.path.relpath(source, ROOT), "-o", cls.program(name), cwd=ROOT)

    @classmethod
    def program(cls, name):
        return os.path.join(cls.shared.name, name)

    def path(self, name):
        return os.path.join(self.directory, name)


class Json(Files):
    def valid(self, *arguments, status=0):
        result = json.loads(output(*arguments, "--json", status=status, cwd=self.directory))
        RESULT.validate(result)
        self.assertEqual(result["command"], arguments[0])
        return result

    def test_of_models(self):
        self.valid("model", "pi")
        self.valid("model", "running-example", "--oracle")
        self.assertIsNotNone(self.valid("model", "two-lock-deadlock", status=1)["schedule"])
        self.file("vacuous.model", "var x\nthread p: assume x == 1\n")
        model = os.path.join(self.directory, "vacuous.model")
        vacuous = self.valid("model", "--file", model, status=3)
        self.assertEqual((vacuous["verdict"], vacuous["executions"]), ("vacuous", 0))
        self.valid("compare", "--model", model, status=3)
        self.valid("fuzz", "--programs", "5")
        self.valid("explain")
        names = [row["algorithm"] for row in self.valid("compare", "--model", "pi")["algorithms"]]
        self.assertEqual(names, "none source optimal observers merging merging-live".split())

    def test_of_models_that_are_not_explored(self):
        listed = self.valid("model", "--list")["programs"]
        self.assertEqual([p["name"] for p in listed],
                         [row.split()[0] for row in output("model", "--list").splitlines()])
        sizes, = [p["sizes"] for p in listed if p["name"] == "pi"]
        self.assertEqual(sizes, {"least": 1, "most": 60, "default": 5})
        self.assertEqual(self.valid("model", "pi", "--size", "2", "--show")["text"],
                         output("model", "pi", "--size", "2", "--show"))
        shown = self.valid("fuzz", "--show", "--programs", "3")["shown"]
        self.assertEqual(output("fuzz", "--show", "--programs", "3"), "".join(
            f"# {p['shape']}, seed {p['seed']}\n{p['program']}\n" for p in shown))

    def test_of_one_run_of_a_model(self):
        run = self.valid("model", "two-lock-deadlock", "--schedule", "heddle-schedule 1: 0 1",
                         status=1)
        self.assertEqual(run["steps"][1], {"thread": "q", "what": "lock n", "scheduled": True})
        self.assertEqual(run["waiting"], [{"thread": "p", "what": "lock n"},
                                          {"thread": "q", "what": "lock m"}])
        self.assertEqual((run["deadlock"], run["failure"]), (True, False))
        run = self.valid("model", "two-lock-deadlock", "--schedule", "heddle-schedule 1: 1 1")
        self.assertEqual([s["scheduled"] for s in run["steps"]], [True] * 2 + [False] * 6)

    def test_of_the_manual(self):
        manual = self.valid("help")
        self.assertEqual([c["name"] for c in manual["commands"]],
                         re.findall(r"^  (\S+)  .*", output("--help").split("exit status")[0],
                                    re.MULTILINE))
        for command_ in manual["commands"]:
            name = command_["name"]
            self.assertEqual(self.valid("help", name)["commands"], [command_])
            # They hand everything to the compiler; what workers find, others report; and split prints
            # lines of JSON.
            if name in ("cc", "c++", "worker", "split"):
                continue
            self.assertIn("--json", [o["name"] for o in command_["options"]], name)
            own = json.loads(output(name, "--help", "--json"))
            self.assertEqual(own["commands"], [command_])
        version = json.loads(output("--version", "--json"))
        RESULT.validate(version)
        self.assertEqual(output("--version"), f"heddle {version['version']}\n")
        for other in "--man", "--markdown", "--completion":
            self.misuse("help", "--json", other, says="'--json' cannot be combined with")

    def test_the_schema_is_strict(self):
        for good in (self.valid("model", "pi"), self.valid("help", "explain"),
                     self.valid("model", "pi", "--schedule", "heddle-schedule 1:")):
            self.check_strict(good)

    def check_strict(self, good):
        for key in good:
            with self.assertRaises(jsonschema.ValidationError, msg=key):
                RESULT.validate({k: v for k, v in good.items() if k != key})
            with self.assertRaises(jsonschema.ValidationError, msg=key):
                RESULT.validate(good | {key: {"no": "such"}})
        with self.assertRaises(jsonschema.ValidationError):
            RESULT.validate(good | {"more": 1})

    def test_names_of_the_schema(self):
        kinds = [t["name"] for t in self.valid("explain")["topics"] if t["sort"] == "finding"]
        definitions = RESULT.schema["$defs"]
        self.assertEqual(definitions["kind"]["enum"], kinds)
        refused = heddle("model", "pi", "--algorithm", "?").stderr.decode()
        names, last = definitions["algorithm"]["enum"], "auto"  # which results do not have
        self.assertIn(f"expected {', '.join(names)} or {last}", refused)


class JsonOfPrograms(Programs):
    def result(self, name, *arguments, status, command_="run", stderr=b""):
        run = heddle(command_, self.program(name), "--json", *arguments, cwd=self.directory)
        self.assertEqual((run.returncode, run.stderr), (status, stderr))
        result = json.loads(run.stdout)
        RESULT.validate(result)
        return result

    def test_verified(self):
        result = self.result("right", "--", "one", "two", status=0)
        self.assertEqual((result["verdict"], result["complete"]), ("verified", True))
        self.assertEqual(result["arguments"], ["one", "two"])
        self.assertIn("for these inputs", result["limits"])
        self.assertIn("under sequential consistency", result["limits"])

    def test_finding(self):
        finding, = self.result("race", status=1)["findings"]
        self.assertEqual(finding["kind"], "data-race")
        self.assertEqual((finding["file"], finding["line"]), ("examples/native/lost-update.c", 17))
        replayed = output("run", self.program("race"), "--schedule", finding["schedule"], status=1)
        self.assertIn(finding["message"] + " [data-race]", replayed)

    def test_failure_files(self):
        result = self.result("race", status=1)
        finding, = result["findings"]
        self.assertEqual(finding["failure_file"], "race.failure")
        self.assertEqual(self.files(), ["race.failure"])
        replayed = output("replay", self.program("race"), finding["failure_file"], status=1,
                          cwd=self.directory)
        self.assertIn(finding["message"] + " [data-race]", replayed)
        with self.assertRaises(jsonschema.ValidationError):
            del finding["failure_file"]
            RESULT.validate(result)

    def test_failure_files_where_there_is_no_room(self):
        run = heddle("run", self.program("race"), "--json", cwd="/proc")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, rb"\Aheddle: cannot write 'race.failure': [^\n]+\n\Z")
        self.assertIsNone(json.loads(run.stdout)["findings"][0]["failure_file"])

    def test_checkpoints(self):
        result = self.result("right", "--executions", "1", "--checkpoint", "left", status=3)
        self.assertEqual((result["checkpoint"], self.files()), ("left", ["left"]))
        self.assertNotIn("checkpoint", self.result("right", "--resume", "left", status=0))

    def test_one_run(self):
        finding, = self.result("race", status=1)["findings"]
        run = self.result("race", "--schedule", finding["schedule"], status=1)
        del finding["failure_file"]
        trace = finding.pop("trace")
        self.assertEqual(run["finding"], finding)
        self.assertEqual({k: run[k] for k in ("threads", "blocks")},
                         {k: trace[k] for k in ("threads", "blocks")})
        self.assertEqual(run["rows"][:len(trace["rows"])], trace["rows"])
        self.assertEqual(run["threads"][1:], ["deposit", "withdraw"])
        races = [(r["what"], r["line"]) for r in run["rows"] if r["kind"] == "access"]
        self.assertEqual(races, [("write balance = 150", 11), ("read balance → 150", 17)])
        steps = [r for r in run["rows"] if r["kind"] == "step"]
        self.assertEqual([s["number"] for s in steps], list(range(1, len(steps) + 1)))
        lock = next(s for s in steps if s["what"] == "lock mutex")
        self.assertEqual(lock["stack"][0]["function"], "deposit")
        right = self.result("right", "--schedule", "heddle-schedule 1:", status=0)
        self.assertEqual((right["finding"], right["scheduled"]), (None, 0))
        self.assertEqual({r["kind"] for r in right["rows"]}, {"step"})

    def test_rows_of_a_finding(self):
        finding, = self.result("race", status=1)["findings"]
        self.assertEqual(finding["trace"]["left_out"], 0)
        *_, write, unlock, read = finding["trace"]["rows"]
        balance = {"name": "balance", "kind": "memory", "size": 4,
                   "address": write["actions"][0]["object"]["address"]}
        self.assertEqual(write["actions"], [{"verb": "write", "object": balance, "before": None,
                                             "after": "150"}])
        self.assertEqual((unlock["verb"], unlock["actions"][0]["object"]["name"],
                          unlock["actions"][0]["object"]["kind"]), ("unlock", "mutex", "mutex"))
        self.assertEqual(read["actions"], [{"verb": "read", "object": balance, "before": "150",
                                            "after": None}])
        self.assertEqual(read["from"], {"relation": "races", "threads": [1], "step": None})
        self.assertEqual((read["place"]["line"], read["place"]["function"]), (17, "withdraw"))
        self.assertEqual((finding["line"], finding["column"], finding["function"]),
                         (17, read["place"]["column"], "withdraw"))
        self.assertGreater(finding["column"], 0)

    def test_replay(self):
        self.result("race", status=1)
        run = self.result("race", status=1, command_="replay")
        self.assertEqual((run["same_build"], run["as_expected"]), (True, True))
        self.assertEqual({k: run["finding"][k] for k in ("kind", "message")}, run["expected"])
        # A program with nothing wrong, and of another build.
        other = f"heddle: {self.program('right')} is not the build that failed\n"
        with open(self.path("race.failure"), encoding="utf-8") as file:
            text = re.sub("^schedule .*", "schedule 0", file.read(), flags=re.MULTILINE)
        self.file("other.failure", text)
        run = self.result("right", "other.failure", status=0, command_="replay",
                          stderr=other.encode())
        self.assertEqual((run["same_build"], run["as_expected"], run["finding"]),
                         (False, False, None))
        self.misuse("replay", self.program("race"), "--json", "--gdb", says="cannot be combined",
                    cwd=self.directory)

    def test_what_the_program_prints_goes_to_stderr(self):
        name = "a <b>&\"'"
        schedule = self.result(name, status=1)["findings"][0]["schedule"]
        self.result(name, status=1, command_="replay", stderr=b"here\n")
        self.result(name, "--schedule", schedule, status=1, stderr=b"here\n")

    def test_incomplete(self):
        result = self.result("right", "--executions", "1", status=3)
        self.assertEqual((result["verdict"], result["complete"]), ("incomplete", False))
        result = self.result("endless", "--max-steps", "50", status=3)
        self.assertEqual([f["kind"] for f in result["findings"]], ["endless"])

    def test_vacuous(self):
        result = self.result("vacuous", status=3)
        self.assertEqual((result["verdict"], result["complete"], result["executions"]),
                         ("vacuous", True, 0))
        self.assertIn("an assumption does not hold at ", result["limits"][0])
        self.assertIn("vacuous.c:3, in main", result["limits"][0])
        result = json.loads(output("compare", self.program("vacuous"), "--json", status=3))
        RESULT.validate(result)
        self.assertEqual({row["verdict"] for row in result["algorithms"]}, {"vacuous"})

    def test_compare(self):
        result = json.loads(output("compare", self.program("stuck"), "--json", status=1))
        RESULT.validate(result)
        self.assertEqual([(row["algorithm"], row["verdict"]) for row in result["algorithms"]],
                         [(name, "finding") for name in ("source", "optimal", "observers", "merging")])

    def test_expect(self):
        for name, expected, status in [("right", "verified", 0), ("right", "finding", 1),
                                       ("race", "finding", 0), ("race", "data-race", 0),
                                       ("race", "deadlock", 1), ("race", "verified", 1),
                                       ("endless", "endless", 0), ("vacuous", "vacuous", 0),
                                       ("vacuous", "verified", 1), ("right", "vacuous", 1)]:
            self.result(name, "--max-steps", "50", "--expect", expected, status=status)
            shown = output("run", self.program(name), "--max-steps", "50", "--expect", expected,
                           status=status, cwd=self.directory)
            self.assertEqual(f"expected: {expected}\n" in shown, status == 1)
        self.misuse("run", self.program("right"), "--expect", "luck", says="invalid value 'luck' for '--expect'")


class Junit(Programs):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.schema = cls.program("junit.xsd")
        with open(cls.schema, "wb") as out:
            out.write(schemas.schema("junit"))

    def is_valid(self, path):
        return subprocess.run(["xmllint", "--noout", "--schema", self.schema, path], check=False,
                              capture_output=True).returncode == 0

    def suite(self, name, *arguments, status):
        path = self.path("junit.xml")
        output("run", self.program(name), "--junit", path, *arguments, status=status,
               cwd=self.directory)
        self.assertTrue(self.is_valid(path))
        suite, = xml.parse(path).getroot()
        case, = suite
        # The schema takes any text for these.
        self.assertEqual((suite.get("tests"), suite.get("skipped")), ("1", "0"))
        for timed in suite, case:
            self.assertRegex(timed.get("time"), r"\A\d+\.\d{3}\Z")
        self.assertEqual(case.get("classname"), "heddle.run")
        for problem in case:
            self.assertTrue(problem.tag == "system-out" or problem.get("message"))
        return suite, case, [(p.tag, p.get("type")) for p in case if p.tag != "system-out"]

    def test_the_schema_is_used(self):
        self.suite("right", status=0)
        with open(self.path("junit.xml"), encoding="utf-8") as file:
            text = file.read()
        self.file("other.xml", text.replace("<testcase ", "<testcase surprise='1' "))
        self.assertFalse(self.is_valid(self.path("other.xml")))

    def test_verified(self):
        suite, case, problems = self.suite("right", status=0)
        self.assertEqual((suite.get("failures"), suite.get("errors"), problems), ("0", "0", []))
        self.assertIn("under sequential consistency", case.findtext("system-out"))

    def test_finding(self):
        suite, case, problems = self.suite("race", status=1)
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("1", "0"))
        self.assertEqual(problems, [("failure", "data-race")])
        self.assertIn("heddle-schedule 1: ", case.findtext("failure"))
        self.assertIn("thread 2 (withdraw)", case.findtext("failure"))

    def test_incomplete(self):
        suite, _, problems = self.suite("right", "--executions", "1", status=3)
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("0", "1"))
        self.assertEqual(problems, [("error", "incomplete")])
        self.assertEqual(self.suite("vacuous", status=3)[2], [("error", "vacuous")])
        self.assertEqual(self.suite("endless", "--max-steps", "50", status=3)[2],
                         [("error", "endless")])

    def test_expectations(self):
        self.assertEqual(self.suite("race", "--expect", "data-race", status=0)[2], [])
        self.assertEqual(self.suite("right", "--expect", "finding", status=1)[2],
                         [("failure", "expectation")])

    def test_any_text(self):
        name = "a <b>&\"'"
        _, case, _ = self.suite(name, "--", "\x01", "]]>", b"\xff", "\n", status=1)
        self.assertEqual(case.get("name"), self.program(name) + " ? ]]> \ufffd \n")


class Sarif(Programs):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.schema = validator_of(schemas.schema("sarif"))

    def run_of(self, name, *arguments, status):
        path = self.path("result.sarif")
        output("run", self.program(name), "--sarif", path, *arguments, status=status,
               cwd=self.directory)
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        self.schema.validate(result)
        with self.assertRaises(jsonschema.ValidationError):
            self.schema.validate(result | {"surprise": 1})
        run, = result["runs"]
        self.assertRegex(run["originalUriBaseIds"]["SRCROOT"]["uri"], r"\Afile:///(.*/)?\Z")
        rules = run["tool"]["driver"]["rules"]
        for r in run["results"]:
            self.assertEqual(rules[r["ruleIndex"]]["id"], r["ruleId"])
        return run

    def test_rules_are_the_findings(self):
        rules = self.run_of("right", status=0)["tool"]["driver"]["rules"]
        topics = json.loads(output("explain", "--json"))["topics"]
        self.assertEqual([(r["id"], r["fullDescription"]["text"]) for r in rules],
                         [(t["name"], t["meaning"]) for t in topics if t["sort"] == "finding"])

    def test_verified(self):
        run = self.run_of("right", status=0)
        self.assertEqual(run["results"], [])
        notes = run["invocations"][0]["toolExecutionNotifications"]
        self.assertIn("under sequential consistency", [n["message"]["text"] for n in notes])
        self.assertEqual({n["level"] for n in notes}, {"note"})

    def test_finding(self):
        result, = self.run_of("race", status=1)["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("data-race", "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place, {"artifactLocation": {"uri": "examples/native/lost-update.c",
                                                      "uriBaseId": "SRCROOT"},
                                 "region": {"startLine": 17, "startColumn": 11}})
        self.assertEqual(len(result["stacks"]), 3)

    def test_places_are_uris(self):
        result, = self.run_of("a <b>&\"'", status=1)["results"]
        frames = [f["location"] for s in result["stacks"] for f in s["frames"]]
        places = [p["physicalLocation"]["artifactLocation"]["uri"]
                  for p in result["locations"] + frames]
        self.assertTrue(any(p.endswith("/a%20%3Cb%3E%26%22%27.c") for p in places), places)

    def test_incomplete(self):
        run = self.run_of("endless", "--max-steps", "50", status=3)
        self.assertEqual(run["results"][0]["level"], "warning")
        notes = run["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual(notes[0]["level"], "warning")
        self.assertIn("incomplete", notes[0]["message"]["text"])
        notes = self.run_of("vacuous", status=3)["invocations"][0]["toolExecutionNotifications"]
        self.assertEqual(notes[0]["level"], "warning")
        self.assertIn("vacuous", notes[0]["message"]["text"])


class Writing(Programs):
    def test_where_it_cannot_be(self):
        for option in "--junit", "--sarif":
            for path, says in [
                    ("/nowhere/x", "cannot write '/nowhere/x': No such file or directory"),
                    (self.directory, f"cannot write '{self.directory}': Is a directory"),
                    ("/proc/heddle", "cannot write '/proc/heddle': ")]:
                self.misuse("run", self.program("right"), option, path, says=says)
            self.misuse("run", self.program("right"), option, "", says=f"'{option}' needs a value")
            run = heddle("run", self.program("right"), option, "/dev/full")
            self.assertEqual(run.returncode, 2)
            self.assertEqual(run.stderr,
                             b"heddle: cannot write '/dev/full': No space left on device\n")
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        self.assertEqual(self.files(), [])

    def test_replaces_what_was_there(self):
        old = self.path("real")
        self.file("real", "old")
        os.symlink("real", self.path("link"))
        output("run", self.program("right"), "--junit", self.path("link"))
        self.assertEqual(self.files(), ["link", "real"])
        self.assertTrue(os.path.islink(self.path("link")))
        with open(old, encoding="utf-8") as file:
            self.assertIn("<testsuites>", file.read())

    def test_keeps_what_was_there_if_it_fails(self):
        self.file("old", "old")
        self.misuse("run", "./absent", "--junit", self.path("old"), says="absent")
        with open(self.path("old"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual(self.files(), ["old"])

    def test_has_the_usual_mode(self):
        output("run", self.program("right"), "--junit", self.path("x"), umask=0o027)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("x")).st_mode), 0o640)

    def test_stdout_that_cannot_be_written(self):
        """Closed, or full: one line says so, whatever is printed, and how much of it."""
        output("run", self.program("race"), status=1, cwd=self.directory)
        for words in (["run", self.program("right")], ["run", self.program("race"), "--json"],
                      ["replay", self.program("race")], ["replay", self.program("race"), "--json"],
                      ["help", "--json"], ["--version", "--json"]):
            closed = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', command.binary(), *words],
                                    check=False, stderr=subprocess.PIPE, cwd=self.directory)
            with open("/dev/full", "wb") as full:
                runs = [closed, heddle(*words, stdout=full, cwd=self.directory)]
            for run in runs:
                self.assertEqual(run.returncode, 2, run)
                self.assertRegex(run.stderr, rb"\Aheddle: cannot write the output: [^\n]+\n\Z")

    def test_what_cannot_be_run(self):
        self.misuse("run", self.directory, says="it is a directory")
        self.misuse("replay", self.directory, says="no such file: ")

    def test_stdout(self):
        shown = output("run", self.program("right"), "--sarif", "/dev/stdout")
        self.assertIn('"version": "2.1.0"', shown)
        self.assertIn("verified: ", shown)


if __name__ == "__main__":
    command.main()
