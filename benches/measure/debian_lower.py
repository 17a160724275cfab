#!/usr/bin/env python3
"""Parse, lower and link the real programs, with the flags of their own builds.

usage: BENCH=DIR debian_lower.py [--program NAME]... [--jobs N] [--gcc]

Reads BENCH/debian/NAME/compile_commands.json. Prints a row a program: functions lowered / all, and every gap. Status 1 if a
program falls below its bar: 100 % for the first four, 99.5 % for the rest. --gcc also counts the functions in gcc's objects of
BENCH/pre/NAME/*.i, so that none is missing unseen (always_inline functions have no code there, so that
lz4 has more than gcc says).
"""
import argparse
import glob
import json
import re
import subprocess
import sys
import tempfile
import time

from cases import bench, lower

WHOLE = ["bchunk", "jhead", "ncompress", "zlib"]
LARGE = ["lua5.4", "jq", "lz4", "sqlite3"]

parser = argparse.ArgumentParser()
parser.add_argument("--program", action="append", choices=WHOLE + LARGE)
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--gcc", action="store_true")
options = parser.parse_args()


def functions_of_gcc(program):
    """How many functions gcc's unoptimized objects of a program's preprocessed units hold."""
    count = 0
    keep = ["-fkeep-static-functions", "-fkeep-inline-functions"]
    for unit in glob.glob(bench("pre", program) + "/*.i"):
        with tempfile.NamedTemporaryFile(suffix=".o") as code:
            subprocess.run(["gcc", "-w", "-c", "-O0", *keep, "-fpreprocessed", unit, "-o", code.name], check=True)
            names = subprocess.run(["nm", code.name], check=True, capture_output=True, text=True).stdout
        count += len(re.findall(r" [tTwW] ", names))
    return count


bad = False
for program in options.program or WHOLE + LARGE:
    units = len(json.load(open(bench("debian", program, "compile_commands.json"))))
    start = time.time()
    [(_, lowered, functions, gaps)] = lower([(program, [bench("debian", program)], [])], options.jobs)
    share = lowered / functions if functions else 0.0
    low = share < (1.0 if program in WHOLE else 0.995)
    bad |= low
    print(f"{program:10} {units:3} units  functions {lowered}/{functions}  {100 * share:.2f} %  "
          f"{time.time() - start:.1f} s{f'  gcc has {functions_of_gcc(program)}' if options.gcc else ''}"
          f"{'  BELOW THE BAR' if low else ''}")
    for gap in gaps:
        print(f"    {gap}")
sys.exit(bad)
