#!/usr/bin/env python3
"""Look for Juliet cases in which a verdict contradicts what the suite says of the program.

usage: BENCH=DIR juliet_contradictions.py [--per-cwe N] [--seed S] [--cwe N]... [--limit SECONDS] [--verbose]

In a bad variant, the line that errs has sites of the case's kind. Where every one of them is `safe` or `unreachable`, and nothing
definite is reported in the case, the analysis has proved what is false (or the error is of a kind that is not judged there): such a
case is printed with its lines. A flaw without any site of the kind is counted apart. In a good variant, everything definite is printed
with the kind of the check. Prints a row a CWE; status 1 if anything was printed.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import time

import juliet
from cases import cellog

parser = argparse.ArgumentParser()
parser.add_argument("--per-cwe", type=int, default=20)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cwe", type=int, action="append")
parser.add_argument("--limit", type=float, default=30)
parser.add_argument("--verbose", action="store_true")
options = parser.parse_args()

ACCESS = {"out-of-bounds", "null-deref", "use-after-free", "uninit-read"}
KINDS = {
    121: ACCESS, 122: ACCESS, 124: ACCESS, 126: ACCESS, 127: ACCESS, 476: ACCESS,
    190: {"signed-overflow", "unsigned-overflow", "conversion"}, 191: {"signed-overflow", "unsigned-overflow", "conversion"},
    369: {"div-by-zero", "float-conversion"}, 415: {"double-free", "invalid-free"}, 416: {"use-after-free"},
    469: {"pointer-diff", "pointer-compare"},
}
PROVED = {"safe", "unreachable"}


def findings(case, cwe, files, variant):
    """The findings, or None; the seconds and the kilobytes at most that it took."""
    command = ["/usr/bin/env", "time", "-f", "%M", cellog(), "check", "--format", "json", "--entry", f"{case}_{variant}", "--checks",
               "default,unsigned-overflow,conversion", *files, juliet.support(), "--", *juliet.flags(variant)]
    start = time.time()
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit)
        kilobytes = int(run.stderr.strip().splitlines()[-1])
        return json.loads(run.stdout)["findings"], time.time() - start, kilobytes
    except (subprocess.TimeoutExpired, ValueError, KeyError, IndexError):
        return None, time.time() - start, 0


def flaws(files):
    """(base name, line) of the 5 lines behind each FLAW comment, and of io.c's none."""
    return {(os.path.basename(f), n + k) for f in files
            for n, line in enumerate(open(f, errors="replace"), 1) if "FLAW" in line for k in range(6)}


by_cwe = collections.defaultdict(list)
for row in juliet.cases(options.cwe or juliet.CWES):
    by_cwe[row[0]].append(row)
chance = random.Random(options.seed)
wrong = False
for cwe in sorted(by_cwe):
    count = collections.Counter()
    most = 0
    seconds = 0.0
    for _, case, files in chance.sample(by_cwe[cwe], min(options.per_cwe, len(by_cwe[cwe]))):
        bad, spent, kilobytes = findings(case, cwe, files, "bad")
        good, more, kilobytes_good = findings(case, cwe, files, "good")
        seconds += spent + more
        most = max(most, kilobytes, kilobytes_good)
        count["cases"] += 1
        if bad is None or good is None:
            count["silent"] += 1
            print("NO ANSWER", case)
            continue
        quiet = {(os.path.basename(f), n) for f in files for n, l in enumerate(open(f, errors="replace"), 1) if "RAND" in l}
        place = lambda f: (os.path.basename(f["file"]), f["line"])
        judged = cwe in (190, 191)
        counts = lambda f: judged or f["check"] not in ("unsigned-overflow", "conversion")
        near = flaws(files)
        hit = [f for f in bad if f["verdict"] == "definite" and counts(f) and place(f) not in quiet
               and (place(f) in near or place(f)[0] == "io.c")]
        at = [f for f in bad if f["check"] in KINDS[cwe] and counts(f) and place(f) in near and place(f) not in quiet]
        any_definite = any(f["verdict"] == "definite" and counts(f) for f in bad)
        io = [f for f in bad if place(f)[0] == "io.c" and f["check"] in KINDS[cwe] and f["verdict"] not in PROVED]
        count["found"] += bool(hit)
        if not at:
            count["no site"] += 1
        if not hit:
            print("MISSED", case, sorted({(f["check"], f["verdict"], f["line"]) for f in at})[:6])
        if at and not hit and not any_definite and not io and all(f["verdict"] in PROVED for f in at):
            wrong = True
            print("PROVED WRONGLY", case, sorted({(f["check"], f["verdict"], *place(f)) for f in at}))
        for f in good:
            if f["verdict"] == "definite" and counts(f) and place(f) not in quiet:
                wrong = True
                count["alarms"] += 1
                print("DEFINITE IN GOOD", case, f["check"], *place(f), f["message"])
    print(f"CWE{cwe:<4} found {count['found']:4}/{count['cases']:<4} flaws without a site {count['no site']:3} definite in good {count['alarms']:3} "
          f"no answer {count['silent']:3} {seconds / max(1, 2 * count['cases']):5.2f} s a run, {most >> 10} MB at most", flush=True)
sys.exit(wrong)
