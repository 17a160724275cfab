#!/usr/bin/env python3
"""Run `cellog summarize` on the Powerstone and SNU programs and set the counts beside the published ones.

usage: BENCH=DIR loop_tables.py [--limit SECONDS] [--jobs N] [--loops] [--program NAME]...

Prints, for each program: its loops, those proved to end, those proved not to, the seconds a loop; beside them the loops that
four tools prove in Tables 6 and 7 of Kroening et al., "Loop Summarization using State and Transition Invariants". With
--loops, a row for each loop that is not decided. Status 1 if fewer than 9 rows of 10 reach the best of the four.
"""
import argparse
import json
import os
import subprocess
import sys
import time

from cases import bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=float, default=5)
parser.add_argument("--loops", action="store_true")
parser.add_argument("--program", action="append")
options = parser.parse_args()

# Loops, and those proved by Loopfrog 1, Loopfrog 2, CTA, Terminator. Rows that cannot be read in the published table are left out.
POWERSTONE = {
    "adpcm": (11, 8, 10, 8, 6), "bcnt": (2, 0, 0, 0, 0), "blit": (4, 0, 3, 3, 3), "compress": (18, 5, 6, 5, 7),
    "crc": (3, 1, 2, 1, 2), "engine": (6, 0, 2, 2, 2), "fir": (9, 2, 6, 6, 6), "g3fax": (7, 1, 1, 1, 1),
    "huff": (11, 3, 8, 7, 7), "jpeg": (23, 2, 16, 15, 15), "pocsag": (12, 3, 9, 9, 7), "qurt": (2, 0, 1, 1, 0),
    "ucbqsort": (15, 1, 2, 2, 9), "v42": (12, 0, 0, 0, 1),
}
SNU = {
    "adpcm": (18, 13, 17, 13, 12), "bs": (1, 0, 0, 0, 0), "fft1": (11, None, 7, 7, 7), "fir": (8, 2, 6, 6, 6),
    "select": (4, None, 0, 0, None), "sqrt": (1, 0, 1, 1, 0), "insertsort": (2, 0, 1, 1, 1), "jfdctint": (3, 0, 3, 3, 3), "lms": (10, 3, 6, 6, 6), "ludcmp": (11, 0, 5, 3, 3),
}
# Programs without a `main`.
ENTRIES = {"sqrt.c": "sqrtfcn"}
OTHERS = ["crc", "fibcall", "matmult", "minver", "qsort-exam", "qurt"]


def measure(path):
    """The loops of a program, and the seconds that it took."""
    begun = time.time()
    entry = ["--entry", ENTRIES[path.rsplit("/", 2)[-1]]] if path.rsplit("/", 2)[-1] in ENTRIES else []
    command = [cellog(), "summarize", "--format", "json", "--time-limit", str(options.limit), *entry, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20 * options.limit + 60)
    seconds = time.time() - begun
    try:
        return json.loads(done.stdout)["loops"], seconds
    except (json.JSONDecodeError, KeyError):
        print(f"{path}: {done.stderr.strip()}", file=sys.stderr)
        return [], seconds


def table(title, folder, names, published):
    print(f"\n{title}\n{'program':12} loops  ends  not  s/loop | published: loops   LF1   LF2   CTA  Term. | reaches the best")
    reached, rows, total = 0, 0, [0, 0, 0, 0.0]
    for name in names:
        if options.program and name not in options.program:
            continue
        loops, seconds = measure(os.path.join(folder, name + ".c"))
        ends, endless = (sum(l["terminates"] == w for l in loops) for w in ("yes", "no"))
        for at, n in enumerate((len(loops), ends, endless, seconds)):
            total[at] += n
        row = published.get(name)
        shown = " ".join(f"{'?' if n is None else n:>5}" for n in row) if row else ""
        verdict = ""
        if row:
            best = max(n or 0 for n in row[1:])
            rows, reached = rows + 1, reached + (ends >= best)
            verdict = "yes" if ends >= best else "no"
        print(f"{name:12} {len(loops):5} {ends:5} {endless:4} {seconds / max(1, len(loops)):7.2f} | {'':10} {shown:30} | {verdict}")
        for l in loops if options.loops else []:
            if l["terminates"] == "unknown":
                print(f"    {l['file']}:{l['line']} in {l['function']}: {l['reason']}")
        sys.stdout.flush()
    print(f"{'all':12} {total[0]:5} {total[1]:5} {total[2]:4} {total[3] / max(1, total[0]):7.2f} | rows that reach the best: {reached} of {rows}")
    return reached, rows


first = table("Powerstone (Table 6)", bench("powerstone"), sorted(POWERSTONE), POWERSTONE)
second = table("SNU and other WCET programs (Table 7)", bench("wcet"), sorted(SNU) + OTHERS, SNU)
sys.exit(0 if 10 * (first[0] + second[0]) >= 9 * (first[1] + second[1]) else 1)
