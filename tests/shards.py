"""Parts of a long test, so that several can run at a time: the K-th of N takes every N-th case."""

import re


def add_argument(parser):
    parser.add_argument("--shard", metavar="K/N", type=parse, default=(1, 1),
                        help="the K-th of N parts only")


def parse(text):
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(text)
    return int(match[1]), int(match[2])


def part(cases, shard):
    """Of a list."""
    which, count = shard
    return cases[which - 1::count]
