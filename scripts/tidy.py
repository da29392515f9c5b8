#!/usr/bin/env python3
"""clang-tidy on every file of a build folder that was configured with MOTMOT_UNITY and without precompiled headers.

    scripts/tidy.py BUILD [PROCESSES]

Most checks cost what the headers cost: files that are compiled together are read together. Checks that look at the main
file alone (`ALONE`) read every file by itself. What passed is remembered by its preprocessed text in BUILD/tidy.
Prints the findings; exits with 1 if there are any. Files that need libtorch's `IValue` are counted and not read: Clang 14
does not compile that header of Debian's libtorch 1.13 as C++20 with libstdc++ 12.
"""
import concurrent.futures
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ALONE = "clang-analyzer-*,misc-unused-using-decls,bugprone-suspicious-include"
NOT_FOR_CLANG = b"/ATen/core/ivalue_inl.h"
UNREAD = "not read"


def jobs(build):
    """(file, its command without the file and the output, checks that are added to those of .clang-tidy)"""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        words = shlex.split(entry["command"])
        flags = [word for word in words[1:words.index("-o")] if word != str(file)]
        if file.is_relative_to(build):
            if "Unity" not in file.parts:
                continue  # embedded files
            members = re.findall(r'#include "(.*)"', file.read_text())
            yield file, flags, ",".join("-" + check for check in ALONE.split(","))
            yield from ((pathlib.Path(member), flags, "-*," + ALONE) for member in members)
        else:
            yield file, flags, ""


def tidy(build, file, flags, checks):
    """What clang-tidy has to say, nothing where it passed, UNREAD where Clang cannot read it."""
    text = subprocess.run(["clang++", *flags, "-E", "-CC", file], cwd=build, capture_output=True)
    if NOT_FOR_CLANG in text.stdout:
        return UNREAD
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + checks.encode() + text.stdout).hexdigest()
    passed = build / "tidy" / digest
    if text.returncode == 0 and passed.exists():
        return ""
    done = subprocess.run(["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", f"--checks={checks}", file, "--", *flags],
                          cwd=build, capture_output=True, text=True)
    if done.returncode == 0:
        passed.touch()
        return ""
    return done.stdout or done.stderr


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    (build / "tidy").mkdir(exist_ok=True)
    todo = list(jobs(build))
    failed, unread = 0, set()
    with concurrent.futures.ThreadPoolExecutor(int(sys.argv[2]) if len(sys.argv) > 2 else 2) as pool:
        for (file, _, _), said in zip(todo, pool.map(lambda job: tidy(build, *job), todo)):
            if said == UNREAD:
                unread.add(file)
            elif said:
                failed += 1
                print(f"== {file}\n{said}", flush=True)
    files = {file for file, _, _ in todo if not file.is_relative_to(build)}
    print(f"tidy: {len(todo)} runs on {len(files)} files, {failed} with findings; {len(unread & files)} files of gan/ not read")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
