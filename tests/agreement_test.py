#!/usr/bin/env python3
"""Compares compiled programs with model programs, on all that both can say.

Each built-in model program, each example, and random ones are translated to C (model_to_c.py). What
is compiled must have as many executions and blocked runs as the model, with every algorithm that
compiled programs have, and end with the same exit status.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import shards
from model_to_c import Inexpressible, Translator, expressible, translate_all

ROOT = Path(__file__).resolve().parent.parent
ALGORITHMS = ["source", "optimal", "observers"]
BATCH = 60  # programs that are compiled together
SECONDS = 3000  # for anything that is run here: long enough for any machine
LIMIT = 3000  # executions: programs that have more are left out
SMALLEST = {"boundedbuffer": 4, "fib": 4, "filesystem": 14, "indexer": 12}


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=SECONDS)


def counts(result):
    """What the two worlds must agree on."""
    if result.returncode not in (0, 1):
        return f"status {result.returncode}: {result.stderr.strip() or result.stdout.strip()}"
    out = json.loads(result.stdout)
    # Which runs of source are cut off depends on who is tried first, and a compiled program has one
    # thread more: its main.
    blocked = None if out["algorithm"] == "source" else out["blocked"]
    return out["executions"], blocked, result.returncode


def built_in(heddle):
    """(name, text) of each, in a size that is small but says something."""
    for line in run([heddle, "model", "--list"]).stdout.splitlines():
        name, sizes = line.split()[:2]
        for size in [] if sizes == "-" else [SMALLEST.get(name, 3)]:
            yield f"{name} {size}", run([heddle, "model", name, "--size", size, "--show"]).stdout
        if sizes == "-":
            yield name, run([heddle, "model", name, "--show"]).stdout


def examples():
    for file in sorted((ROOT / "examples" / "model").glob("*.txt")):
        yield file.name, file.read_text()


def random_programs(heddle, count, seed):
    text = run([heddle, "fuzz", "--show", "--programs", count, "--seed", seed]).stdout
    for part in re.split(r"(?m)^(?=# )", text):
        if part:
            yield part.splitlines()[0].strip("# "), part


class Comparison:
    def __init__(self, heddle, directory):
        self.heddle, self.directory = heddle, Path(directory)

    def model(self, number, text):
        """What the model has; None if it is too much."""
        file = self.directory / f"{number}.txt"
        file.write_text(text)
        found = {}
        for algorithm in ALGORITHMS:
            result = run([self.heddle, "model", "--file", file, "--algorithm", algorithm, "--json",
                          "--executions", LIMIT])
            if result.returncode == 3:
                return None
            found[algorithm] = counts(result)
        return found

    def compile(self, number, texts):
        source, program = self.directory / f"{number}.c", self.directory / f"{number}.exe"
        source.write_text(translate_all(texts))
        built = run([self.heddle, "cc", "-Wall", "-Wno-unused", "-I", ROOT / "include", source,
                     "-o", program])
        if built.returncode != 0:
            raise RuntimeError(built.stderr)
        return program

    def native(self, program, number, algorithm):
        return counts(run([self.heddle, "run", program, "--keep-going", "--algorithm", algorithm,
                           "--json", "--", number]))


def select(comparison, programs):
    """Those that can be compared: (name, text, what the model has)."""
    chosen, left_out = [], {}
    for number, (name, text) in enumerate(programs):
        text = expressible(text)
        try:
            Translator(text, "").translate()
        except Inexpressible as why:
            left_out.setdefault(str(why), []).append(name)
            continue
        chosen.append((number, name, text))
    with ThreadPoolExecutor(2) as pool:
        models = pool.map(lambda c: comparison.model(c[0], c[2]), chosen)
    out = []
    for (_, name, text), model in zip(chosen, models):
        if model is None:
            left_out.setdefault("too many executions", []).append(name)
        else:
            out.append((name, text, model))
    for why, names in sorted(left_out.items()):
        print(f"left out, {why}: {len(names)}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    parser.add_argument("--random", type=int, default=300, help="so many random programs")
    parser.add_argument("--seed", type=int, default=1)
    shards.add_argument(parser)
    parser.add_argument("--show", help="print the C of the program with this name")
    arguments = parser.parse_args()
    heddle = arguments.heddle.resolve()
    programs = [*built_in(heddle), *examples(),
                *random_programs(heddle, arguments.random, arguments.seed)]
    if arguments.show:
        print(translate_all([expressible(t) for name, t in programs if name == arguments.show]))
        return 0
    programs = shards.part(programs, arguments.shard)
    failures = []
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        comparison = Comparison(heddle, directory)
        chosen = select(comparison, programs)
        batches = [chosen[k:k + BATCH] for k in range(0, len(chosen), BATCH)]
        compiled = pool.map(lambda b: comparison.compile(f"batch{b[0]}", [c[1] for c in b[1]]),
                            enumerate(batches))
        asked = [(name, text, model[algorithm], algorithm,
                  pool.submit(comparison.native, program, number, algorithm))
                 for batch, program in zip(batches, compiled)
                 for number, (name, text, model) in enumerate(batch) for algorithm in ALGORITHMS]
        for name, text, model, algorithm, native in asked:
            if native.result() != model:
                failures.append(f"{name}, {algorithm}: the model has {model}, compiled it has "
                                f"{native.result()}\n{text}")
    for failure in failures:
        print(f"FAIL  {failure}")
    print(f"{len(chosen)} programs compared, {len(failures)} failures")
    return 1 if failures or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
