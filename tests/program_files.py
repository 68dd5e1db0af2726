"""The programs in tests/programs, found by their names, which are unique over all its folders."""

from pathlib import Path

DIRECTORY = Path(__file__).resolve().parent / "programs"


def is_program(path):
    """A source file by itself, or a directory with a CMakeLists.txt."""
    if path.is_dir():
        return (path / "CMakeLists.txt").exists()
    return path.suffix in (".c", ".cpp") and not (path.parent / "CMakeLists.txt").exists()


def all_programs():
    programs = {}
    for path in filter(is_program, DIRECTORY.rglob("*")):
        if path.name in programs:
            raise ValueError(f"two programs have one name: {path}, {programs[path.name]}")
        programs[path.name] = path
    return [programs[name] for name in sorted(programs)]


def find(name):
    """The path of the program with this name."""
    found = [path for path in DIRECTORY.rglob(name) if is_program(path)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} programs are called {name}")
    return found[0]
