#!/usr/bin/env python3
"""Ask for a fix of definite findings of Juliet's bad variants and of real programs, and judge each fix from outside.

usage: BENCH=DIR fixes.py [--findings N] [--real N] [--seed S] [--cwe N]... [--limit SECONDS] [--verbose]

Draws cases of each CWE until it has as many with a definite finding as its share of N asks for, and takes the first such finding of each. Of real
programs it takes the first definite findings of each folder of BENCH/known and BENCH/prog, at most N in all, at most four a program. Each is given to
`cellog fix ID --diff`. What it offers is applied to a copy of the program: the copy must compile, and a check of the copy must find the
place no longer definite and no place worse than before. Prints a row a CWE or program, then why no fix was offered.
"""
import argparse
import collections
import difflib
import json
import os
import re
import shutil
import subprocess
import tempfile

import juliet
from cases import bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--findings", type=int, default=80)
parser.add_argument("--real", type=int, default=20)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cwe", type=int, action="append")
parser.add_argument("--limit", type=float, default=120)
parser.add_argument("--verbose", action="store_true")
options = parser.parse_args()
BADNESS = {"definite": 3, "possible": 2, "unknown": 1, "safe": 0, "unreachable": 0}
COLUMNS = ["findings", "offered", "compile", "mended", "worse"]


def run(command, folder=None):
    """How a command ended and what it said; nothing where the limit was up."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=3 * options.limit)
    except subprocess.TimeoutExpired:
        return -1, "", "no answer within the limit"
    # A difference keeps the line ends of its file.
    return done.returncode, done.stdout.decode(errors="surrogateescape"), done.stderr.decode(errors="replace")


def findings(program, folder):
    """The findings of a check, and the flags that it has guessed."""
    words = ["check", "--format", "json", "--verbose", "--no-cache", "--time-limit", str(options.limit)]
    _, out, said = run([cellog(), *words, *program], folder)
    guessed = re.search(r"flags are guessed: (.*) \(yours", said)
    try:
        return json.loads(out)["findings"], guessed[1].replace("none", "").split() if guessed else []
    except ValueError:
        return [], []


def lines_after(before, after):
    """Where each line (from 1) of a text is after a change."""
    places = {}
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            places.update((a + n + 1, c + n + 1) for n in range(b - a))
        elif kind == "replace":
            # The last line of what is inserted in front of a statement is the statement's.
            places.update((b - n, d - n) for n in range(min(b - a, d - c)))
    return places


def judged(all_findings, file=None, places=None):
    """How bad each place is: by file, line, function and what is judged, the verdicts in order."""
    table = collections.defaultdict(list)
    for f in all_findings:
        line = places.get(f["line"], 0) if places and os.path.basename(f["file"]) == file else f["line"]
        key = (os.path.basename(f["file"]), line, f["function"], f["check"])
        table[key].append(BADNESS[f["verdict"]])
    return table


def compiles(path, flags, folder):
    """Whether the compiler takes a file. What stops it without a fix, such as a header that the build makes, is no fault of a fix."""
    return run(["cc", "-w", "-fsyntax-only", *flags, path], folder)[0] == 0


def judge(before, finding, diff, folder, program, flags):
    """Whether the program with a fix compiles, is mended, and is somewhere worse. `program`: arguments that hold in a copy of `folder`."""
    with tempfile.TemporaryDirectory() as top:
        copy = os.path.join(top, "copy")
        shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        path = os.path.join(copy, os.path.relpath(re.match(r"--- a/(.*)\n", diff)[1], os.curdir))
        with open(path, errors="replace") as text:
            old = text.read().splitlines()
        compiled = compiles(path, flags, copy)
        if subprocess.run(["patch", "-s", "--binary", path], input=diff.encode(errors="surrogateescape"), capture_output=True).returncode:
            return False, False, True
        with open(path, errors="replace") as text:
            new = text.read().splitlines()
        compiled = compiles(path, flags, copy) >= compiled
        base, places = os.path.basename(path), lines_after(old, new)
        after = judged(findings(program, copy)[0])
        was = judged(before, base, places)
        worse = any(key in after and sum(after[key]) > sum(kinds) for key, kinds in was.items())
        line = places.get(finding["line"], finding["line"])
        kinds = after.get((base, line, finding["function"], finding["check"]), [0])
        return compiled, BADNESS["definite"] not in kinds, worse


table, reasons = collections.defaultdict(collections.Counter), collections.Counter()


def measured(row, before, finding, folder, program, flags):
    """Asks for the fix of a finding and counts what becomes of it in `row`."""
    status, diff, said = run([cellog(), "fix", finding["id"], "--diff", "--time-limit", str(options.limit), *program], folder)
    last = (said.strip().splitlines() or [""])[-1]
    counts = {"findings": 1, "offered": status == 0}
    if status == 0:
        compiled, mended, worse = judge(before, finding, diff, folder, program, flags)
        counts |= {"compile": compiled, "mended": mended, "worse": worse}
    else:
        reasons[finding["check"] + ": " + re.sub(r"[0-9a-f]{16}|[^ ]*/[^ ]*|\d+", "_", last)] += 1
    for name in (row, "all"):
        table[name].update(counts)
    if options.verbose:
        print(row, finding["check"], finding["file"], finding["line"], finding["id"], counts, last, flush=True)


def of_case(cwe, case, files):
    """Asks for a fix of the case's first definite finding; false without one."""
    with tempfile.TemporaryDirectory() as folder:
        # A case by itself, so that a copy of its folder is one of the case.
        for file in [*files, juliet.support()]:
            shutil.copy(file, folder)
        names = [os.path.basename(file) for file in [*files, juliet.support()]]
        flags = juliet.flags("bad")
        program = ["--entry", f"{case}_bad", *juliet.checks(cwe), *names, "--", *flags]
        before, _ = findings(program, folder)
        found = juliet.definite(before)
        if found:
            measured(f"CWE{cwe}", before, found[0], folder, program, flags)
        return found


juliet.draw(options.findings, options.seed, options.cwe or juliet.CWES, of_case)

left = options.real
for kind in ("known", "prog"):
    for name in sorted(os.listdir(bench(kind))) if left else []:
        folder = bench(kind, name)
        if not os.path.isdir(folder):
            continue
        before, flags = findings(["."], folder)
        for finding in juliet.definite(before)[:min(4, left)]:
            left -= 1
            target = ["--target", finding["program"]] if "program" in finding else []
            measured(name, before, finding, folder, [".", *target], flags)

for name, row in table.items():
    print(f"{name:20}", "  ".join(f"{column} {row[column]:3}" for column in COLUMNS))
for reason, count in reasons.most_common():
    print(f"{count:4}  {reason}")
