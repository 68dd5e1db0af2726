#!/usr/bin/env python3
"""Comments and documents use the words of the glossary (docs/concepts.md).

usage: words_test.py [--self-test] [FILE...]

Prints FILE:LINE: PHRASE -> what to write instead, for each phrase that the glossary rules out. In
documents, code and what is shown in backticks is left out; in sources, only comments are looked at.
"""

import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A phrase, as a regular expression in which a space is any white space, and what to write instead.
PHRASES = [(re.compile(r"\b(?:%s)\b" % words.replace(" ", r"\s+"), re.IGNORECASE), better)
           for words, better in [
    ("somebody|someone", "a thread, another thread"),
    ("nobody(?: else)?|no one", "no thread, no other thread, nothing"),
    ("anybody|anyone|everybody|everyone", "any thread, every thread"),
    ("whoever", "a thread that, the caller, the code that"),
    ("(?:by|for|to|of|from|with|because of) who", "by a thread that, by the caller"),
    ("(?:those|all|others|threads|writers|readers) who", "the threads that"),
    ("who(?: else)? (?:waits|joins|takes|holds|reads|writes|sleeps|calls|wakes|locks|unlocks|has it|"
     "has joined|knew|is on it|could go on|can go on)", "a thread that, which thread"),
    ("(?:go|goes|went|gone|going) on(?: to)?", "continue, resume"),
    ("under way", "in flight"),
    ("(?:put|puts|putting) aside", "defer"),
    ("(?:given|gives|give|gave|giving) back", "free (memory), release (a lock), return"),
    ("(?<!there.)(?:is|are|was|were) no (?:step|event|effect|finding|run|execution|leaf|thread|race)s?", "is not a"),
    ("so many|so long a time|so often", "the number, N, how many"),
    ("misfits?", "divergence"),
    ("transitions?", "step, event"),
    ("takings", "acquisitions"),
]]

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/decisions/*.md", "examples/*.md"]
# Made from tables of the code, or written by `bench/report`.
GENERATED = {"docs/reference.md", "docs/benchmarks.md"}
SOURCES = ["src", "include", "bench", "tests", "examples"]
NOT_SOURCES = ["tests/words_test.py"]
CPP = (".c", ".cpp", ".hpp", ".h", ".def")
SCRIPTS = ["CMakeLists.txt", "*/CMakeLists.txt", "src/*/CMakeLists.txt", "cmake/*", "tools/*", "test",
           "heddle", "bench/report", "bench/compare-peers", "bench/plot.py", "bench/cubes_report", "bench/engines",
           ".ci/run"]
EXPECTED = re.compile(r"^// (?:expect|allow): .*", re.MULTILINE)  # what Heddle says of a test program
GLOSSARY = re.compile(r"^## Glossary.*", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^(`{3,})[^`\n]*\n.*?^\1[ ]*$|`[^`\n]*`|\]\([^()\s]+\)", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\")|('(?:\\.|[^'\\\n])')", re.DOTALL)


def blank(match):
    """As many lines, and nothing in them."""
    return re.sub(r"[^\n]", " ", match[0])


def prose_of_document(text):
    return CODE.sub(blank, GLOSSARY.sub("", text))


def prose_of_cpp(text):
    """Comments, each line where it was. What begins a line of a comment does not part a phrase."""
    out, at = [], 0
    for match in COMMENT.finditer(text):
        out.append(re.sub(r"[^\n]", " ", text[at:match.start()]))
        is_comment = match[1] is None and match[2] is None
        out.append(match[0].replace("//", "  ") if is_comment else blank(match))
        at = match.end()
    return "".join(out) + re.sub(r"[^\n]", " ", text[at:])


def prose_of_python(text):
    lines = [""] * (text.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and token.string.startswith('"""')
        if token.type == tokenize.COMMENT or is_docstring:
            for k, line in enumerate(token.string.splitlines()):
                lines[token.start[0] - 1 + k] += line.replace("#", " ")
    return "\n".join(lines)


def prose_of_script(text):
    """Of CMake and bash: lines that are comments."""
    return "\n".join(line.strip()[1:] if line.strip().startswith("#") else ""
                     for line in text.splitlines())


def prose_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return prose_of_document(text)
    if path.suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        return prose_of_python(text)
    return prose_of_cpp(EXPECTED.sub("", text)) if path.suffix in CPP else prose_of_script(text)


def found(prose):
    """Line, phrase, and what to write instead."""
    for phrase, better in PHRASES:
        for match in phrase.finditer(prose):
            yield (prose.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), better)


def files():
    documents = {path for pattern in DOCUMENTS for path in ROOT.glob(pattern)}
    yield from sorted(documents - {ROOT / name for name in GENERATED})
    yield from sorted(path for pattern in SCRIPTS for path in ROOT.glob(pattern))
    for name in SOURCES:
        for path in sorted((ROOT / name).rglob("*")):
            if path.suffix in (*CPP, ".py") and not any(
                    path.is_relative_to(ROOT / other) for other in NOT_SOURCES):
                yield path


def self_test():
    cases = [
        (prose_of_document("a\nnobody `somebody` waits\n```\nwhoever\n```\n"), [(2, "nobody")]),
        (prose_of_document("it goes\non here\n## Glossary\n| nobody |\n"), [(1, "goes on")]),
        (prose_of_cpp('int whoever;  // it goes\n// on to x, who knows\nf("// nobody");'),
         [(1, "goes on to")]),
        (prose_of_cpp("char c = '\"'; // nobody\n"), [(1, "nobody")]),
        (prose_of_python('x = "nobody"\n# somebody\n"""A\nnobody\n"""\n'),
         [(4, "nobody"), (2, "somebody")]),
        (prose_of_script("set(nobody)\n  # nobody\n"), [(2, "nobody")]),
        (prose_of_document("Threads continue; engineers who change it read this."), []),
    ]
    wrong = 0
    for prose, wanted in cases:
        shown = sorted((line, phrase) for line, phrase, _ in found(prose))
        if shown != sorted(wanted):
            print(f"{shown}, not {wanted}: {prose!r}")
            wrong += 1
    print(f"self-test: {len(cases)} cases, {wrong} failures")
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    count = 0
    for path in [Path(name).resolve() for name in sys.argv[1:]] or files():
        for line, phrase, better in sorted(found(prose_of(path))):
            print(f"{path.relative_to(ROOT)}:{line}: {phrase} -> {better}")
            count += 1
    print(f"{count} phrases that the glossary rules out")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
