#!/usr/bin/env python3
"""Parse and lower every unit of the real programs, with the flags of their own builds.

usage: BENCH=DIR debian_lower.py [--program NAME]... [--jobs N]

Reads BENCH/debian/NAME/compile_commands.json. Prints a row a program: functions lowered / all, and every gap. Status 1 if a
program falls below its bar: 100 % for the first four, 99.5 % for the rest.
"""
import argparse
import collections
import json
import os
import sys
import time

from cases import bench, lower

WHOLE = ["bchunk", "jhead", "ncompress", "zlib"]
LARGE = ["lua5.4", "jq", "lz4", "sqlite3"]

parser = argparse.ArgumentParser()
parser.add_argument("--program", action="append", choices=WHOLE + LARGE)
parser.add_argument("--jobs", type=int, default=1)
options = parser.parse_args()


def preprocessor_flags(entry):
    """-D, -U, -I, -isystem, -include and -std flags of a recorded compiler call, folders made absolute."""
    flags, arguments = [], iter(entry["arguments"][1:])
    for argument in arguments:
        if argument in ("-D", "-U"):
            argument += next(arguments)
        if argument.startswith("-I"):
            flags.append("-I" + os.path.normpath(os.path.join(entry["directory"], argument[2:] or next(arguments))))
        elif argument in ("-include", "-isystem"):
            flags += [argument, os.path.normpath(os.path.join(entry["directory"], next(arguments)))]
        elif argument.startswith(("-D", "-U", "-std=")):
            flags.append(argument)
    return flags


bad = False
for program in options.program or WHOLE + LARGE:
    entries = json.load(open(bench("debian", program, "compile_commands.json")))
    listing = [(os.path.relpath(e["file"], bench("debian", program)), [e["file"]], preprocessor_flags(e)) for e in entries]
    start = time.time()
    lowered, functions, gaps = 0, 0, collections.Counter()
    for unit, done, count, missing in lower(listing, options.jobs):
        lowered += done
        functions += count
        gaps.update(f"{unit}: {gap}" for gap in missing)
    share = lowered / functions if functions else 0.0
    low = share < (1.0 if program in WHOLE else 0.995)
    bad |= low
    print(f"{program:10} {len(entries):3} units  functions {lowered}/{functions}  {100 * share:.2f} %  "
          f"{time.time() - start:.1f} s{'  BELOW THE BAR' if low else ''}")
    for gap, count in gaps.most_common():
        print(f"    {count:4}  {gap}")
sys.exit(bad)
