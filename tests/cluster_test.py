#!/usr/bin/env python3
"""One program explored by several processes, with parts given out through a broker, and what may go
wrong with that.

usage: cluster_test.py HEDDLE [--kills N] [test...]

With --kills, that many workers are killed or stopped for good while a larger program is explored by
ten of them in about a thousand parts (100 takes some minutes).
"""

import contextlib
import json
import os
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import jsonschema

import command
from command import ROOT, heddle

SCHEMA = json.loads((ROOT / "docs/json-schema.json").read_text(encoding="utf-8"))

KILLS = 8
if "--kills" in sys.argv:
    at = sys.argv.index("--kills")
    KILLS = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]

# Each of VARIABLES is read and then written by each of THREADS: (THREADS!)^2 traces for each.
PROGRAM = """
#include <heddle/heddle.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[VARIABLES];
static void* more(void* p) { return p; }
static void* work(void* p) {
  for (int v = 0; v < VARIABLES; ++v) {
    int seen = x[v];
    x[v] = seen + (int)(long)p;
  }
  return 0;
}
int main(void) {
  pthread_t t[THREADS];
  for (long k = 0; k < THREADS; ++k) pthread_create(&t[k], 0, work, (void*)(k + 1));
  for (int k = 0; k < THREADS; ++k) pthread_join(t[k], 0);
  unsigned all = 0;
  for (int v = 0; v < VARIABLES; ++v) all = all * 10 + (unsigned)x[v];
  heddle_outcome(all);
  if (x[0] == LEARNS) {
    pthread_create(&t[0], 0, more, 0);
    pthread_join(t[0], 0);
  }
  assert(x[0] != FAILS || x[VARIABLES - 1] != FAILS);
}
"""


def compiled(directory, name="program", threads=3, variables=3, learns=-1, fails=-1):
    source = Path(directory) / (name + ".c")
    source.write_text(PROGRAM, encoding="utf-8")
    program = str(Path(directory) / name)
    command.output("cc", str(source), "-o", program, f"-DTHREADS={threads}",
                   f"-DVARIABLES={variables}", f"-DLEARNS={learns}", f"-DFAILS={fails}")
    return program


class Broker:
    """A server in a directory of its own, reached by a unix socket."""

    def __init__(self, *options):
        self.directory = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self.directory.name, "socket")
        self.url = "unix://" + self.socket
        self.options = options
        self.process = None
        self.start()

    def start(self):
        with open(os.path.join(self.directory.name, "log"), "ab") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", "0", "--unixsocket", self.socket, "--appendonly", "yes",
                 "--save", "", "--dir", self.directory.name, *self.options], stdout=log, stderr=log)
        while self.cli("ping").strip() != "PONG":
            assert self.process.poll() is None, "redis-server ended"
            time.sleep(0.01)

    def cli(self, *words):
        return subprocess.run(["redis-cli", "-s", self.socket, *words], check=False,
                              capture_output=True, text=True).stdout

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        self.directory.cleanup()


class CuttingProxy(threading.Thread):
    """Forwards connections to a socket, and cuts each after some bytes: some late enough for the
    largest answer."""

    def __init__(self, to, path, seed=1):
        super().__init__(daemon=True)
        self.to, self.path, self.random, self.cuts = to, path, random.Random(seed), 0
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen()
        self.start()

    def run(self):
        while True:
            here, _ = self.listening.accept()  # closed by the process when it ends
            there = socket.socket(socket.AF_UNIX)
            there.connect(self.to)
            left = self.random.choice([5_000, 20_000, 60_000, 2_000_000])
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self.forward, args=(one, other, left), daemon=True).start()

    def forward(self, one, other, left):
        with contextlib.suppress(OSError):
            while left > 0 and (text := one.recv(min(left, 4096))):
                left -= len(text)
                other.sendall(text)
        self.cuts += left <= 0
        for end in one, other:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Cluster(unittest.TestCase):
    broker_options = ()

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.broker = Broker(*self.broker_options)
        self.addCleanup(self.broker.close)

    def start(self, *words):
        process = subprocess.Popen([command.binary(), *words], cwd=self.directory, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.communicate()

    def worker(self, program, *words, url=None):
        return self.start("worker", url or self.broker.url, "--program", program, "-j", "1", *words)

    def dismiss(self, workers):
        """They may have come too late for the job, and wait for the next."""
        for worker in workers:
            worker.send_signal(signal.SIGINT)
            # Without a handler yet, the signal itself ends it.
            self.assertIn(worker.wait(), [0, -signal.SIGINT])

    def coordinator(self, program, *words, url=None, engines=1):
        """It, and the name of its job."""
        process = self.start("run", program, "--algorithm", "optimal", "--json", "-j", str(engines),
                             "--broker", url or self.broker.url, *words)
        line = process.stderr.readline()
        match = re.fullmatch(r"heddle: job (\w+) at .*\n", line)
        self.assertTrue(match, line + ("" if match else process.communicate()[1]))
        return process, match[1]

    def result(self, process, status=0):
        out, err = process.communicate()
        self.assertEqual(process.returncode, status, err + out)
        return json.loads(out)

    def attach(self, job, url=None):
        run = heddle("attach", job, "--broker", url or self.broker.url, "--json")
        self.assertNotEqual(run.returncode, 2, run.stderr)
        out = json.loads(run.stdout)
        jsonschema.validate(out, SCHEMA)
        return out

    def alone(self, program, *words, status=0):
        run = heddle("run", program, "--algorithm", "optimal", "--json", "-j", "1", *words,
                     cwd=self.directory)
        self.assertEqual(run.returncode, status, run.stderr)
        return json.loads(run.stdout)

    def compare(self, alone, cluster):
        for key in "verdict", "complete", "executions", "blocked", "outcomes", "limits", "warnings":
            self.assertEqual(cluster.get(key), alone.get(key), key)


class WorkTest(Cluster):
    def test_workers_bring_together_what_one_finds_alone(self):
        program = compiled(self.directory)
        alone = self.alone(program, "--outcomes")
        self.assertEqual(alone["executions"], 36 ** 3)
        workers = [self.worker(program) for _ in range(3)]
        # Checkpoints on the way change nothing.
        process, job = self.coordinator(program, "--outcomes", "--keep-job", "--checkpoint", "saved",
                                        "--checkpoint-every", "0.1")
        self.compare(alone, self.result(process))
        self.dismiss(workers)
        seen = self.attach(job)
        self.assertEqual((seen["state"], seen["verified"]), ("done", True))
        self.assertEqual(seen["executions"], alone["executions"])
        self.assertGreater(seen["cubes"]["done"], 10)
        self.assertEqual(seen["cubes"]["open"], 0)
        command.output("attach", job, "--broker", self.broker.url, "--remove")
        run = heddle("attach", job, "--broker", self.broker.url)
        self.assertEqual((run.returncode, run.stdout), (2, b""))

    def test_parts_that_are_explored_while_they_are_split(self):
        program = compiled(self.directory)
        process, job = self.coordinator(program, "--parts", "3000", "--keep-job")
        self.assertEqual(self.result(process)["executions"], 36 ** 3)
        # Small ones are given out together.
        self.assertLess(self.attach(job)["cubes"]["done"], 3000)

    def test_what_one_learns_all_know(self):
        program = compiled(self.directory, learns=2)
        alone = self.alone(program, "--outcomes")
        workers = [self.worker(program) for _ in range(2)]
        process, _ = self.coordinator(program, "--outcomes")
        self.compare(alone, self.result(process))
        self.dismiss(workers)

    def test_a_finding_ends_the_job(self):
        program = compiled(self.directory, fails=1)
        alone = self.alone(program, status=1)
        workers = [self.worker(program) for _ in range(2)]
        # It may be found before there is a job.
        process = self.start("run", program, "--algorithm", "optimal", "--json", "-j", "1",
                             "--deterministic", "--broker", self.broker.url)
        found = self.result(process, status=1)
        self.assertEqual([f["kind"] for f in found["findings"]], ["assertion"])
        self.assertEqual(found["findings"], alone["findings"])
        self.dismiss(workers)

    def test_with_keep_going_all_is_explored(self):
        program = compiled(self.directory, fails=1)
        alone = self.alone(program, "--keep-going", "--outcomes", status=1)
        self.worker(program)
        found = self.result(self.coordinator(program, "--keep-going", "--outcomes")[0], status=1)
        self.compare(alone, found)

    def test_a_small_program_needs_no_job(self):
        program = compiled(self.directory, threads=2, variables=1)
        self.assertEqual(
            json.loads(command.output("run", program, "--json", "--broker", self.broker.url,
                                      "--algorithm", "optimal"))["executions"], 4)
        self.assertEqual(self.broker.cli("hlen", "heddle:jobs").strip(), "0")

    def test_what_was_stopped_can_be_resumed(self):
        program = compiled(self.directory, threads=4, variables=2)
        process, _ = self.coordinator(program, "--checkpoint", "saved", "--parts", "100")
        process.send_signal(signal.SIGINT)
        process.communicate()
        if process.returncode == 0:
            return  # it was faster
        self.assertEqual(process.returncode, 3)
        self.assertEqual(self.broker.cli("hlen", "heddle:jobs").strip(), "0")
        self.assertEqual(self.alone(program, "--resume", "saved")["executions"], 576 ** 2)
        resumed = self.start("run", program, "--resume", "saved", "--json", "-j", "1", "--broker",
                             self.broker.url)
        self.assertEqual(self.result(resumed)["executions"], 576 ** 2)


class RefusalTest(Cluster):
    def misuse(self, *words, says):
        run = heddle(*words)
        self.assertEqual(run.returncode, 2, run)
        self.assertRegex(run.stderr.decode(), r"\Aheddle: [^\n]+\n\Z")
        self.assertIn(says, run.stderr.decode())

    def test_a_worker_has_to_have_the_same_program(self):
        program = compiled(self.directory, threads=5, variables=3)
        process, job = self.coordinator(program)
        url = self.broker.url
        with tempfile.TemporaryDirectory() as elsewhere:
            other = compiled(elsewhere, threads=2)
            self.misuse("worker", url, "--program", other, says="another build")
            self.misuse("worker", url, "--program", other, "--job", job, says="program: the job has")
            changed = os.path.join(elsewhere, "copy")
            Path(changed).write_bytes(Path(program).read_bytes() + b"x")
            os.chmod(changed, 0o755)
            self.misuse("worker", url, "--program", changed, "--job", job, says="program: the job")
        self.misuse("worker", url, "--program", program, "--job", job, "--", "2", says="arguments")
        self.misuse("worker", url, "--program", program, "--job", "none", says="no job 'none'")
        for field, value in ("version of heddle", "9.9"), ("first run", "0"), ("addresses", "0"):
            key, kept = f"heddle:{{{job}}}:job", f"identity:{field}"
            fields = self.broker.cli("hkeys", key)
            kept = next(name for name in fields.splitlines() if name.endswith(field))
            before = self.broker.cli("hget", key, kept).strip()
            self.broker.cli("hset", key, kept, value)
            self.misuse("worker", url, "--program", program, "--job", job, says=field)
            self.broker.cli("hset", key, kept, before)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 3)

    def test_mistakes(self):
        program = compiled(self.directory, threads=2, variables=1)
        url = self.broker.url
        self.misuse("run", program, "--broker", "http://x", says="not the URL of a broker")
        self.misuse("run", program, "--broker", "unix:///nowhere", says="out of reach")
        self.misuse("run", program, "--broker", "redis://10.0.0.1", says="encryption")
        self.misuse("run", program, "--broker", url, "--executions", "5", says="--time")
        self.misuse("run", program, "--broker", url, "--algorithm", "source", says="parts")
        self.misuse("worker", url, says="--program")
        self.misuse("attach", "x", says="--broker")
        self.misuse("attach", "a b", "--broker", url, says="not the name of a job")


class FaultTest(Cluster):
    def test_workers_that_die(self):
        is_long = KILLS > 10
        variables = 4 if is_long else 3
        program = compiled(self.directory, variables=variables)
        chance = random.Random(1)
        workers = [self.worker(program) for _ in range(10 if is_long else 4)]
        process, job = self.coordinator(program, "--broker-silence", "1", "--keep-job", "--parts",
                                        "1000" if is_long else "100")
        # What is killed three times has failed, so it should not be the first split, which is long.
        while process.poll() is None and self.attach(job)["cubes"]["split"] == 0:
            time.sleep(0.05)
        kills = 0
        while kills < KILLS and process.poll() is None:
            time.sleep(chance.uniform(0, 0.3))
            victim = chance.randrange(len(workers))
            workers[victim].send_signal(chance.choice([signal.SIGKILL, signal.SIGSTOP]))
            kills += 1
            workers[victim] = self.worker(program, "--job", job)
        self.assertEqual(self.result(process)["executions"], 36 ** variables)
        print(f"{kills} killed, {self.attach(job)['cubes']}", file=sys.stderr)

    def test_a_coordinator_that_dies(self):
        program = compiled(self.directory)
        process, job = self.coordinator(program, "--broker-silence", "1", "--parts", "100")
        process.kill()
        worker = self.worker(program, "--job", job)
        self.assertEqual(worker.wait(), 0)
        seen = self.attach(job)
        self.assertEqual((seen["verified"], seen["executions"]), (True, 36 ** 3))

    def test_a_broker_that_dies(self):
        program = compiled(self.directory, threads=4, variables=2)
        self.worker(program)
        process, job = self.coordinator(program, "--parts", "200", "--broker-silence", "2")
        while process.poll() is None and self.attach(job)["cubes"]["done"] == 0:
            time.sleep(0.02)
        for _ in range(2):
            self.broker.kill()
            time.sleep(0.1)
            self.broker.start()
            time.sleep(0.2)
        self.assertEqual(self.result(process)["executions"], 576 ** 2)

    def test_connections_that_break(self):
        program = compiled(self.directory)
        proxy = CuttingProxy(self.broker.socket, os.path.join(self.directory, "proxy"))
        url = "unix://" + proxy.path
        self.worker(program, url=url)
        process, _ = self.coordinator(program, "--parts", "200", url=url)
        self.assertEqual(self.result(process)["executions"], 36 ** 3)
        self.assertGreater(proxy.cuts, 0)


class SafeBrokerTest(Cluster):
    """As docs/broker.md says."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        key, certificate = os.path.join(made.name, "key"), os.path.join(made.name, "ca.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=x", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                        "-out", certificate], check=True, capture_output=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.broker_options = ("--tls-port", str(port), "--bind", "127.0.0.1", "--tls-cert-file",
                               certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate,
                               "--tls-auth-clients", "no")
        super().setUp()
        text = (ROOT / "docs/broker.md").read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(r"ACL SETUSER .*", text):
            self.assertEqual(self.broker.cli(*shlex.split(line)).strip(), "OK")
        password = os.path.join(made.name, "password")
        Path(password).write_text("PASSWORD\n", encoding="utf-8")
        self.access = ["--broker-password-file", password, "--broker-ca", certificate]
        self.url = "rediss://{}@127.0.0.1:" + str(port)

    def test_with_tls_and_users(self):
        program = compiled(self.directory)
        worker = self.worker(program, *self.access, url=self.url.format("heddle-worker"))
        process, _ = self.coordinator(program, *self.access,
                                      url=self.url.format("heddle-coordinator"))
        self.assertEqual(self.result(process)["executions"], 36 ** 3)
        self.dismiss([worker])


if __name__ == "__main__":
    command.main()
