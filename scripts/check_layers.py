#!/usr/bin/python3
"""A file includes only rooms to its left (CONTRIBUTING.md has the picture).

    scripts/check_layers.py [ROOT]

Every folder with C++ has a place in the tables below and every place has a folder; anything else is an error.
"""
import pathlib
import re
import sys

# The rooms of the library, each right of all it may include. Rooms of one group do not include each other.
ROOMS = [{"base"}, {"data", "kernels"}, {"tables", "neighbours", "blocks"}, {"rays"}, {"costs"}, {"transport"}, {"critics"}, {"estimate", "theory"}, {"inference"},
         {"answer"}, {"matrix"}, {"compare"}, {"outliers"}, {"doctor"}, {"watch"}, {"study"}, {"report"}]
RANK = {room: rank for rank, group in enumerate(ROOMS) for room in group}
BESIDE = {"study", "report"}  # libraries beside the core: top folders, not folders of src/
# Public headers are called like their room, but for these.
HEADER_ROOM = {"motmot": "watch", "fields": "doctor", "arrow": "tables", "cache": "tables", "drawn": "data",
               "communicator": "base", "permutations": "inference"}
# What stands on the library, and which rooms it may include besides public headers (include/motmot/).
ALL = set(RANK)
FRONT = {"apps": ALL, "python": set(), "gan": {"base", "data", "kernels", "blocks", "neighbours", "report"}, "mpi": set(), "examples": set(), "bench": ALL | {"gan"},
         "tests": ALL | {"gan", "tests"}}
# `motmot gan` reads its command line as `motmot` does; command lines are fuzzed.
EXCEPTIONS = {("gan/app", "apps/motmot"), ("mpi", "apps/motmot"), ("mpi", "gan/app"), ("tests/fuzz", "apps/motmot")}
# Where the build looks for a quoted include, after the folder of the file.
SEARCH = ["include", "gan/include", "src", ".", "gan/src", "gan/app", "apps/motmot", "tests"]
MADE_BY_CMAKE = {"base/version.hpp": "src/base/version.hpp", "parts.hpp": "apps/motmot/parts.hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def room_of(path):
    """The room of a file given by its path from the root."""
    parts = path.parts
    if parts[:2] == ("include", "motmot"):
        return HEADER_ROOM.get(path.stem, path.stem)
    return parts[1] if parts[0] == "src" else parts[0]


def is_public(path):
    return path.parts[0] == "include"


def find(root, file, name):
    for folder in [file.parent, *(root / place for place in SEARCH)]:
        if (folder / name).is_file():
            return (folder / name).resolve().relative_to(root)
    return None


def allowed(file, target):
    own, other = room_of(file), room_of(target)
    if own not in RANK and own not in FRONT:
        return True  # unknown_and_missing() names it
    if own in FRONT:
        return (is_public(target) or own == other or other in FRONT[own]
                or (str(file.parent), str(target.parent)) in EXCEPTIONS)
    # motmot.hpp is every public header of the core.
    same = own == other and target.stem != "motmot"
    return same or (other in RANK and RANK[other] < RANK[own])


def unknown_and_missing(root, files):
    places = {room_of(file) for file in files if not is_public(file)}
    known = ALL | set(FRONT)
    yield from (f"{room}: this folder has no place in scripts/check_layers.py" for room in sorted(places - known))
    yield from (f"{room}: scripts/check_layers.py knows a folder that is not there" for room in sorted(known - places))
    for file in files:
        if is_public(file) and room_of(file) not in ALL:
            yield f"{file}: a public header of no room"


def wrong_includes(root, files):
    for file in files:
        for name in INCLUDE.findall((root / file).read_text()):
            target = find(root, root / file, name)
            if name in MADE_BY_CMAKE:
                target = pathlib.Path(MADE_BY_CMAKE[name])
            if target is None:
                yield f"{file} includes {name}, which is not there"
            elif not allowed(file, target):
                yield f"{file} ({room_of(file)}) includes {target} ({room_of(target)})"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    files = sorted(path.relative_to(root) for top in root.iterdir()
                   if top.is_dir() and top.name not in {"build", "demo", "docs"} and not top.name.startswith(".")
                   for path in top.rglob("*.[ch]pp"))
    bad = [*unknown_and_missing(root, files), *wrong_includes(root, files)]
    for line in bad:
        print(line, file=sys.stderr)
    print(f"layers: {len(files)} files, {len(bad)} that point the wrong way")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
