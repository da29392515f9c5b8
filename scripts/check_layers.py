#!/usr/bin/python3
"""A file includes only rooms to its left (CONTRIBUTING.md has the picture)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANK = {"base": 0, "data": 1, "kernels": 1, "blocks": 2, "transport": 2, "critics": 3, "estimate": 4,
        "inference": 5, "study": 6, "report": 7}
# Public headers by the room that implements them.
HEADER_ROOM = {"diagnostics": "estimate", "theory": "estimate", "toy": "data", "chart": "report",
               "page": "report", "svg": "report", "study_report": "report", "distance_page": "report"}
INCLUDE = re.compile(r'^\s*#include\s+"(?:(motmot)/)?([\w/]+)\.hpp"', re.M)


def room_of_include(public, name):
    if public:
        return HEADER_ROOM.get(name, name)
    return name.split("/")[0] if "/" in name else None


def room_of_file(path):
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return parts[1]
    return HEADER_ROOM.get(path.stem, path.stem)


def main():
    bad = []
    files = sorted([*ROOT.glob("src/*/*.[ch]pp"), *ROOT.glob("include/motmot/*.hpp")])
    for path in files:
        own = room_of_file(path)
        if own not in RANK:
            continue
        for public, name in INCLUDE.findall(path.read_text()):
            other = room_of_include(public, name)
            if other not in RANK or other == own:
                continue
            if RANK[other] >= RANK[own]:
                bad.append(f"{path.relative_to(ROOT)} ({own}) includes {name}.hpp ({other})")
    for line in bad:
        print(line, file=sys.stderr)
    print(f"layers: {len(files)} files, {len(bad)} includes that point the wrong way")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
