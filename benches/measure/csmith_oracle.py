#!/usr/bin/env python3
"""Interpret csmith programs and compare the checksum with gcc's.

usage: BENCH=DIR csmith_oracle.py [--full] [--first N] [--limit SECONDS] [--jobs N]

Runs `cellog measure run FILE` on every program that gcc's build ends. Prints how many were equal, different, not ended (out
of fuel or time), undecided (the interpreter stopped), and panicked, naming every program that is neither equal nor
merely not ended. A difference where the interpreter says that the run read indeterminate bytes (csmith reads padding through
unions) counts as unspecified: C gives no answer there. Status 1 if one is different or panicked.
"""
import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
import time

from cases import bench, cellog

INCLUDE = os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith")

parser = argparse.ArgumentParser()
parser.add_argument("--full", action="store_true", help="the 200 programs with csmith's defaults instead")
parser.add_argument("--first", type=int)
parser.add_argument("--limit", type=float, default=60)
parser.add_argument("--jobs", type=int, default=2)
options = parser.parse_args()


def compare(row):
    name, expected = row
    command = [cellog(), "measure", "run", bench("csmith", name), "--", "-I" + INCLUDE]
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired:
        return name, "not ended", "time limit"
    said = (run.stderr.strip().splitlines() or [""])[-1]
    printed = [line for line in run.stdout.splitlines() if line.startswith("checksum = ")]
    if run.returncode < 0 or run.returncode == 101 or "panicked at" in run.stderr:
        return name, "panicked", said
    if printed:
        got = printed[-1].removeprefix("checksum = ")
        differs = "unspecified" if "indeterminate: true" in said else "different"
        return name, "equal" if got == expected else differs, f"{got}, gcc {expected}; {said}"
    if "fuel" in said:
        return name, "not ended", said
    return name, "undecided", said


rows = [line.rstrip("\n").split("\t")[:2] for line in open(bench("csmith", "expected.tsv"))]
rows = [row for row in rows if (os.path.dirname(row[0]) == "full") == options.full]
ended = [row for row in rows if row[1] != "timeout"]
endless = len(rows) - len(ended)
ended = ended[:options.first]
start = time.time()
outcomes = collections.Counter()
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for name, outcome, detail in pool.map(compare, ended):
        outcomes[outcome] += 1
        if outcome not in ("equal", "not ended"):
            print(f"{name}: {outcome}: {detail}", flush=True)
print(f"{len(ended)} programs ({endless} that gcc's build does not end left out): "
      + ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) + f"; {time.time() - start:.0f} s")
sys.exit(bool(outcomes["different"] or outcomes["panicked"]))
