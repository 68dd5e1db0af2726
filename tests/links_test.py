#!/usr/bin/env python3
"""Checks that links in the documents lead to files, and to headings, that are there.

usage: links_test.py [--self-test]

Links to other sites are not looked at. Prints one line for each error and exits with 1 if there are
some.
"""

import re
import sys
import tempfile
from pathlib import Path

FENCED = re.compile(r"^(`{3,})[^`\n]*\n.*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)


def text_of(path):
    """A document without its blocks of code."""
    return FENCED.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """What links can name in a document, as code hosts make it from headings."""
    headings = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(text_of(path)))
    return {heading.replace(" ", "-") for heading in headings}


def errors_of(path):
    out = []
    for link in LINK.findall(text_of(path)):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if "://" in link:
            continue
        if not target.exists():
            out.append(f"{path}: there is no {link}")
        elif anchor and anchor not in anchors(target):
            out.append(f"{path}: {link} names no heading")
    return out


# Lines that are wrong in a document with the heading "What `this` is", beside one called other.md.
WRONG = ["[a](absent.md)", "[a](#what)", "[a](other.md#this)", "[a](other.md) [b](absent.md)",
         "```sh\n[a](absent.md)\n```\n[a](absent.md)"]
RIGHT = ["[a](other.md)", "[a](#what-this-is)", "[a](other.md#it)", "[a](https://x.org/y#z)",
         "```sh\n[a](absent.md)\n```", "plain"]


def self_test():
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "document.md"
        (path.parent / "other.md").write_text("# It\n\n```\n# this\n```\n", encoding="utf-8")
        for text in WRONG + RIGHT:
            path.write_text(f"# What `this` is\n\n{text}\n", encoding="utf-8")
            if bool(errors_of(path)) != (text in WRONG):
                failures += 1
                print(f"judged wrongly: {text}")
    print(f"self-test: {len(WRONG + RIGHT)} cases, {failures} failures")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(__file__).resolve().parent.parent
    documents = [*root.glob("*.md"), *root.glob("examples/*.md"), *root.glob("docs/**/*.md")]
    errors = [error for path in sorted(documents) for error in errors_of(path)]
    print(*errors, f"{len(documents)} documents, {len(errors)} errors", sep="\n")
    return 1 if errors or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
