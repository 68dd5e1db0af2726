"""What tests of the command line share: running heddle, and what it must do with mistakes."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import shards

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 3000  # for anything that is run here: long enough for any machine

_heddle = ""


def binary():
    return _heddle


def heddle(*arguments, **options):
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
               "timeout": SECONDS} | options
    return subprocess.run([_heddle, *arguments], check=False, **options)


def output(*arguments, status=0, **options):
    """What it prints; it must end with this status, and complain about nothing."""
    run = heddle(*arguments, **options)
    assert run.returncode == status, (arguments, run)
    assert run.stderr == b"", (arguments, run)
    return run.stdout.decode(errors="replace")


class Files(unittest.TestCase):
    """Tests that need a directory of their own."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def file(self, name, text):
        path = os.path.join(os.fsencode(self.directory), os.fsencode(name))
        with open(path, "wb") as out:
            out.write(text.encode())
        return path

    def files(self):
        return sorted(os.listdir(self.directory))

    def misuse(self, *arguments, says, **options):
        """The arguments are refused with status 2 and one line on stderr that says all this."""
        run = heddle(*arguments, **options)
        message = run.stderr.decode(errors="replace")
        self.assertEqual(run.returncode, 2, (arguments, message))
        self.assertEqual(run.stdout, b"", arguments)
        self.assertRegex(message, r"\Aheddle: [^\n]+\n\Z")
        self.assertNotIn("bug", message)
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, message)


class Part(unittest.TestLoader):
    """Of the cases of a module."""

    def __init__(self, shard):
        super().__init__()
        self.shard = shard

    def loadTestsFromModule(self, module, *arguments, **options):
        suite = super().loadTestsFromModule(module, *arguments, **options)
        return self.suiteClass(shards.part([case for of_class in suite for case in of_class],
                                           self.shard))


def main():
    """To be called by a test with its command line: HEDDLE, --shard K/N, and arguments of unittest."""
    global _heddle
    _heddle = os.path.abspath(sys.argv.pop(1))
    shard = (1, 1)
    if "--shard" in sys.argv:
        at = sys.argv.index("--shard")
        shard = shards.parse(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    unittest.main(module="__main__", testLoader=Part(shard))
