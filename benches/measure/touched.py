#!/usr/bin/env python3
"""What a second run of `check` costs: nothing changed, a comment more in one file, a statement more in one file or another.

usage: BENCH=DIR touched.py [PROGRAM ...]    (default: stocktake jhead zlib)

Every run has a copy of the sources; stocktake is in the repository. Prints seconds of all processors together, which other
programs on the machine do not change, the share of the first run, and the seconds that one waited; and says whether the report is that
of a run without a cache (places apart, where the machine's speed had no say).
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from cases import cellog

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# The files that are touched, in their first function: one that runs seldom come to, and one that they do.
TOUCHED = {"stocktake": ["report.c"], "jhead": ["gpsinfo.c", "jhead.c"], "zlib": ["adler32.c", "zutil.c"]}


def sources(name, folder):
    """A copy of the program in `folder`, and the words that name it."""
    if name == "stocktake":
        shutil.copytree(REPOSITORY / "tests/c/real/stocktake", folder)
        return sorted(file.name for file in folder.glob("*.c"))
    shutil.copytree(pathlib.Path(os.environ["BENCH"]) / "debian" / name, folder, symlinks=True)
    # Its paths lead to the copy.
    database = folder / "compile_commands.json"
    text = database.read_text()
    roots = {unit["directory"] for unit in json.loads(text)}
    database.write_text(text.replace(os.path.commonpath(roots), str(folder)))
    return ["-p", ".", *(["--entry", "all"] if name == "zlib" else [])]


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder, words, *more):
    start, before = time.monotonic(), spent()
    command = [cellog(), "check", "--format", "json", "--verbose", "--time-limit", "300", *words, *more]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    report = json.loads(ended.stdout)
    again = next((line for line in ended.stderr.splitlines() if line.endswith("as in an earlier run")), "analysed")
    how = "recalled" if "results of an earlier run" in ended.stderr else again
    return (spent() - before, time.monotonic() - start), report, how


def verdicts(report):
    return sorted((f["id"], f["verdict"]) for f in report["findings"])


def main(names):
    for name in names:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / name
            words = sources(name, folder)
            cache = ["--cache", str(folder / ".kept")]
            (first, waited), report, _ = run(folder, words, *cache)
            print(f"{name}: first {first:.2f} s, waited {waited:.2f} s", flush=True)

            def row(what):
                (seconds, waited), kept, how = run(folder, words, *cache)
                anew = run(folder, words, "--no-cache")[1]
                same = "as without a cache" if verdicts(kept) == verdicts(anew) else "NOT as without a cache"
                by = {i for i, _ in verdicts(kept)} == {i for i, _ in verdicts(report)}
                ids = "ids as before" if by else "ids changed"
                print(f"  {what:24} {seconds:6.2f} s {seconds / first:5.0%}, waited {waited:6.2f} s  {how}, {same}, {ids}", flush=True)

            row("unchanged")
            for number, touched in enumerate(TOUCHED[name]):
                file = next(folder.rglob(touched))
                text = file.read_text()
                if number == 0:
                    file.write_text("/* One line\n * and another. */\n\n" + text)
                    row("comment in " + file.name)
                at = text.index("\n{\n") + 3
                file.write_text(text[:at] + "    static int touched; touched = 1;\n" + text[at:])
                row("statement in " + file.name)
                file.write_text(text)


main(sys.argv[1:] or ["stocktake", "jhead", "zlib"])
