#!/usr/bin/env python3
"""HTML pages, as a browser shows them: Debian's chromium, without a window.

usage: html_test.py HEDDLE [unittest arguments]
"""

import json
import os
import unittest

import command
import page_checks
import program_files
from browser import Browser
from command import ROOT, Files, heddle, output

EXAMPLES = ROOT / "examples/native"
PHONE, DESKTOP = 390, 1440

# A program for each kind of finding, and what its page says of it.
KINDS = {
    "assertion": ("last-ticket.cpp", "came between"),
    "abort": ("abort.c", "abort"),
    "terminate": ("before_main_exception.cpp", "exception"),
    "signal": ("signal_ends_process.c", "signal"),
    "exit": ("exit_by_syscall.c", "status"),
    "deadlock": ("philosophers.c", "wait for each other in a circle"),
    "data-race": ("lost-update.c", "nothing orders the two"),
    "use-after-free": ("use_after_free.c", "freed"),
    "double-free": ("double_delete.cpp", "free"),
    "invalid-free": ("invalid_realloc.c", "not"),
    "out-of-bounds": ("out_of_bounds_dead_read.c", "block"),
    "stack-overflow": ("stack_overflow.c", "stack"),
    "lock-misuse": ("rwlock_not_held.c", "lock"),
    "message-misuse": ("send_after_join.cpp", "ended"),
    "livelock": ("spin_each_other.cpp", "wait"),
    "endless": ("endless_choices.c", "steps"),
    "died": ("killed.c", "killed"),
    "nondeterminism": ("not_deterministic.c", "differ"),
}

# Names that would be elements, end a script, or turn the text around them.
HOSTILE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
// </script><img src=x onerror=alert(1)> ' " & \u202etxt\u2066 \u200b %s
static atomic_int x;
static void* other(void* p) { x = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  assert(x == 0 && "</script><img src=x onerror=alert(1)> '\\" \u202etxt%s");
  pthread_join(t, 0);
}
""" % ("long " * 2000, "y" * 10000)

LONG = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* other(void* p) { for (int i = 0; i < 2400; ++i) x = i; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < 2700; ++i) x = -i;
  pthread_join(t, 0);
  assert(x == 0);
}
"""

SHOWN = "[...document.querySelectorAll('.rows > .row')].filter((r) => r.offsetParent)"
NOW = "document.querySelector('.row.now .no').textContent"
# The script has drawn: arrows come with the second frame.
DRAWN = "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))"


def source_of(name):
    path = EXAMPLES / name
    return path if path.exists() else program_files.find(name)


def options_of(path):
    """How the tests of programs have it explored: a line of it says so."""
    with open(path, encoding="utf-8") as source:
        lines = [line.split(None, 2)[2].split() for line in source
                 if line.startswith("// options:")]
    return lines[0] if lines else []


class Pages(Files):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shared = command.tempfile.TemporaryDirectory()
        cls.addClassCleanup(shared.cleanup)
        cls.shared = shared.name
        cls.validator = staticmethod(page_checks.validator(os.path.join(cls.shared, "validator")))
        cls.axe = page_checks.axe()
        cls.browser = cls.enterClassContext(Browser())

    def page(self, source, *arguments, name="page.html"):
        """The path of the page about the program with this source, or at this path."""
        if "\n" in str(source):
            source = os.fsdecode(self.file("program.c", source))
        standard = ["-std=c++20"] if str(source).endswith(".cpp") else []
        path = os.path.join(self.directory, name)
        run = heddle("check", *standard, str(source), "--html", path, *arguments,
                     cwd=self.directory)
        self.assertIn(run.returncode, (0, 1, 3), run)
        return path

    def load(self, path, fragment=""):
        self.browser.load(path, fragment)
        self.browser.evaluate(DRAWN)
        self.assertEqual(self.browser.problems(), [], path)

    def text(self):
        return self.browser.evaluate("document.body.innerText")

    def count(self, selector):
        return self.browser.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")


class Kinds(Pages):
    def test_every_kind_has_a_page(self):
        output_kinds = json.loads(output("explain", "--json"))["topics"]
        self.assertEqual(sorted(KINDS), sorted(k["name"] for k in output_kinds
                                               if k["sort"] == "finding"))

    def test_pages(self):
        for kind, (name, says) in KINDS.items():
            with self.subTest(kind):
                source = source_of(name)
                path = self.page(source, *options_of(source), name=f"{kind}.html")
                self.assertEqual(self.validator(path), "")
                for width, dark in (PHONE, False), (PHONE, True), (DESKTOP, False), (1920, True):
                    self.browser.size(width, dark=dark)
                    self.load(path)
                    self.check_layout()
                    self.browser.evaluate(self.axe)
                    self.assertEqual(page_checks.violations(self.browser), [], (width, dark))
                self.assertIn(kind, self.browser.evaluate("document.querySelector('article .badge').innerText"))
                self.assertIn(says, self.text())
                self.assertGreater(self.count(".command code"), 0)

    def check_layout(self):
        """Nothing is wider than the window, and arrows are where rows are."""
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"),
                             self.browser.evaluate("innerWidth"))
        drawn = self.browser.evaluate(
            "[...document.querySelectorAll('.arrows path')].map((p) => p.getAttribute('d')).join()")
        self.assertNotRegex(drawn, "NaN|undefined")


class Verdicts(Pages):
    def test_verified(self):
        path = self.page(EXAMPLES / "last-ticket-fixed.cpp")
        self.assertEqual(self.validator(path), "")
        self.load(path)
        for says in "verified", "Every schedule that matters", "under sequential consistency", \
                    "executions", "observers":
            self.assertIn(says, self.text())
        self.assertEqual(self.count("article"), 0)

    def test_warnings_and_outcomes(self):
        self.load(self.page(program_files.find("observed_leak.c")))
        self.assertIn("leak: memory is never freed", self.text())

    def test_several_findings(self):
        path = self.page("""#include <heddle/heddle.h>
#include <assert.h>
int main(void) {
  int n = heddle_choose(3);
  assert(n != 1);
  assert(n != 2);
}
""", "--keep-going")
        self.assertEqual(self.validator(path), "")
        self.load(path)
        self.assertEqual(self.count("article"), 2)
        self.assertEqual(self.count("article:not([hidden])"), 1)
        self.browser.press("]")
        self.assertTrue(self.browser.evaluate("document.getElementById('r1').hidden"))
        self.assertIn("n != 2", self.text())

    def test_replay(self):
        self.page(EXAMPLES / "last-ticket.cpp")
        path = os.path.join(self.directory, "replay.html")
        run = heddle("replay", "last-ticket.heddle", "last-ticket.failure", "--html", path,
                     cwd=self.directory)
        self.assertEqual(run.returncode, 1, run)
        self.assertEqual(self.validator(path), "")
        self.load(path)
        self.assertIn("heddle replay last-ticket.heddle last-ticket.failure", self.text())
        self.assertIn("came between", self.text())

    def test_one_run_without_a_finding(self):
        self.page(EXAMPLES / "last-ticket-fixed.cpp")
        path = os.path.join(self.directory, "run.html")
        output("run", "last-ticket-fixed.heddle", "--schedule", "heddle-schedule 1:", "--html", path,
               cwd=self.directory)
        self.assertEqual(self.validator(path), "")
        self.load(path)
        self.assertIn("nothing found", self.text())
        self.assertGreater(self.count(".row"), 3)

    def test_file_that_cannot_be_written(self):
        self.misuse("check", str(EXAMPLES / "last-ticket.cpp"), "--html", "/nowhere/page.html",
                    says="/nowhere/page.html", cwd=self.directory)


class Use(Pages):
    def setUp(self):
        super().setUp()
        self.browser.size(DESKTOP)

    def now(self):
        return self.browser.evaluate(NOW)

    def test_keys(self):
        self.load(self.page(EXAMPLES / "last-ticket.cpp"))
        self.assertEqual(self.now(), "✗")
        for key, number in ("k", "7"), ("s", "6"), ("p", "3"), ("j", "4"), ("n", "5"), \
                           ("Home", "1"), ("End", "✗"), ("k", "7"), ("e", "✗"):
            self.browser.press(key)
            self.assertEqual(self.now(), number, key)
        self.browser.press("?")
        self.assertEqual(self.count("dialog[open]"), 1)

    def test_source_and_state_move_with_the_row(self):
        self.load(self.page(EXAMPLES / "last-ticket.cpp"), "#r1-s4")
        self.assertEqual(self.now(), "5")
        self.assertEqual(self.browser.evaluate("document.querySelector('.code .now .ln').innerText"), "10")
        state = self.browser.evaluate("document.querySelector('.state').innerText")
        for says in "After step 5", "tickets", "1 → 0", "thread 2 (buy)", "read tickets → 1":
            self.assertIn(says, state)
        self.browser.press("j")
        self.assertIn("0 → -1", self.browser.evaluate("document.querySelector('.values').innerText"))

    def test_slider(self):
        self.load(self.page(EXAMPLES / "last-ticket.cpp"))
        self.browser.evaluate("""(() => { const s = document.querySelector('input[type=range]');
            s.value = 2; s.dispatchEvent(new Event('input')); })()""")
        self.assertEqual(self.now(), "3")

    def test_filters(self):
        self.load(self.page(EXAMPLES / "bounded-queue.cpp"))
        self.assertEqual(self.browser.evaluate(SHOWN + ".length"), 20)
        self.browser.evaluate("document.querySelector('.heads [data-thread=\"1\"]').click()")
        self.assertEqual(self.browser.evaluate(SHOWN + ".filter((r) => r.matches('.t1')).length"), 0)
        self.browser.evaluate("document.querySelector('.heads [data-thread=\"1\"]').click()")
        choose = """(() => {{ const s = document.querySelector('{}');
            s.value = [...s.options].find((o) => o.text === '{}').value;
            s.dispatchEvent(new Event('change')); }})()"""
        self.browser.evaluate(choose.format(".by-object", "changed"))
        self.assertEqual(self.browser.evaluate(SHOWN + ".every((r) => /changed/.test(r.innerText))"),
                         True)
        self.browser.evaluate(choose.format(".by-kind", "signal"))
        self.assertEqual(self.browser.evaluate(SHOWN + ".length"), 2)

    def test_arrows(self):
        kinds = {"bounded-queue.cpp": {"create", "lock", "wake"}, "last-ticket.cpp": {"create", "reads"},
                 "philosophers.c": {"create", "waits"}, "lost-update.c": {"create", "race"}}
        for name, wanted in kinds.items():
            self.load(self.page(EXAMPLES / name))
            drawn = self.browser.evaluate("""[...document.querySelectorAll('.arrows path')]
                .map((p) => p.getAttribute('class').replace(' now', ''))""")
            self.assertEqual(set(drawn) - {"tip"}, wanted, name)

    def test_circle(self):
        self.load(self.page(EXAMPLES / "philosophers.c"))
        self.assertEqual(self.count(".circle .wait.circular"), 3)
        self.assertEqual(self.count(".circle .node"), 4)

    def test_without_script(self):
        path = self.page(EXAMPLES / "bounded-queue.cpp")
        self.browser.scripts(allowed=False)
        try:
            self.browser.load(path)
        finally:
            self.browser.scripts(allowed=True)
        text = self.text()
        for says in "wait on changed, unlock mutex", "std::condition_variable changed;", \
                    "heddle replay ./bounded-queue.heddle", "after thread 2, step 4", \
                    "under sequential consistency":
            self.assertIn(says, text)
        self.assertEqual(self.browser.evaluate(SHOWN + ".length"), 20)


class Hostile(Pages):
    def test_names_are_text(self):
        path = self.page(HOSTILE)
        self.assertEqual(self.validator(path), "")
        with open(path, encoding="utf-8") as page:
            text = page.read()
        for turning in "\u202e", "\u2066", "\u200b":
            self.assertNotIn(turning, text)
        for width in PHONE, DESKTOP:
            self.browser.size(width)
            self.load(path)
            self.assertEqual(self.count("img"), 0)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
        shown = self.browser.evaluate("document.body.textContent")
        for says in "</script><img src=x onerror=alert(1)>", "‹U+202E›txt", "y" * 5000, "long " * 2000:
            self.assertIn(says, shown)

    def test_arguments_and_file_names(self):
        source = self.file("<b>&'\".c", "#include <assert.h>\nint main(int n, char** v) "
                           "{ (void)v; assert(n == 1); }\n")
        path = os.path.join(self.directory, "page.html")
        run = heddle("check", source, "--html", path, "--", "</script><i>", "\x1b[31m",
                     cwd=self.directory)
        self.assertEqual(run.returncode, 1, run)
        self.assertEqual(self.validator(path), "")
        self.load(path)
        self.assertEqual(self.count("i, main b:not(li b):not(p b)"), 0)
        heading = self.browser.evaluate("document.querySelector('h1').textContent")
        self.assertIn("</script><i> ‹U+001B›[31m", heading)


class Long(Pages):
    def test_five_thousand_steps(self):
        path = self.page(LONG)
        self.browser.size(DESKTOP)
        self.load(path)
        self.assertGreater(self.count(".row"), 5000)
        self.assertLess(self.browser.evaluate(SHOWN + ".length"), 100)
        # A browser numbers list items, all of them again for each that is folded.
        self.assertEqual(self.browser.evaluate(
            "getComputedStyle(document.querySelector('.row:not(.extra)')).display"), "block")
        # All of them, of which few are laid out.
        self.browser.press("f")
        self.browser.evaluate(DRAWN)
        self.assertGreater(self.browser.evaluate("document.querySelector('.board').offsetHeight"), 100000)
        self.assertLess(self.count(".arrows path"), 1000)
        self.browser.press("Home")
        self.browser.press("j")
        self.assertEqual(self.browser.evaluate(NOW), "2")
        self.assertEqual(self.browser.problems(), [])


if __name__ == "__main__":
    command.main()
