#!/usr/bin/env python3
"""Hold the states of csmith programs' runs against the invariants of the forward analysis.

usage: BENCH=DIR csmith_contain.py [--full] [--first N] [--skip N] [--limit SECONDS] [--jobs N]

Runs `cellog measure contain FILE` on the programs that gcc's build ends. Every state outside its invariant, and every verdict that
the run contradicts, is printed with its program. Status 1 if there is one, or a panic.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import time

from cases import bench, cellog

INCLUDE = os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith")

parser = argparse.ArgumentParser()
parser.add_argument("--full", action="store_true", help="the 200 programs with csmith's defaults instead")
parser.add_argument("--first", type=int)
parser.add_argument("--skip", type=int, default=0)
parser.add_argument("--limit", type=float, default=120)
parser.add_argument("--jobs", type=int, default=2)
options = parser.parse_args()


def hold(name):
    command = [cellog(), "measure", "contain", bench("csmith", name), "--", "-I" + INCLUDE]
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired:
        return name, "not ended", 0, []
    said = run.stderr.strip().splitlines()
    end = re.match(r"(\d+) states compared, (\d+) problems", said[-1] if said else "")
    if not end:
        return name, "no answer", 0, said[-3:]
    return name, "outside" if int(end[2]) else "contained", int(end[1]), said[:-1] if int(end[2]) else []


rows = [line.rstrip("\n").split("\t")[:2] for line in open(bench("csmith", "expected.tsv"))]
names = [name for name, result in rows if result != "timeout" and (os.path.dirname(name) == "full") == options.full]
names = names[options.skip:][:options.first]
start = time.time()
outcomes, states = collections.Counter(), 0
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for name, outcome, compared, problems in pool.map(hold, names):
        outcomes[outcome] += 1
        states += compared
        for problem in problems:
            print(f"{name}: {outcome}: {problem}", flush=True)
        if sum(outcomes.values()) % 50 == 0:
            print(f"{sum(outcomes.values())} of {len(names)}, {states} states, {dict(outcomes)}", file=sys.stderr, flush=True)
print(f"{len(names)} programs, {states} states: " + ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items()))
      + f"; {time.time() - start:.0f} s")
sys.exit(bool(outcomes["outside"] or outcomes["no answer"]))
