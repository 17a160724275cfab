#!/usr/bin/env python3
"""Interpret random programs of floating-point operations and compare what they print with what gcc's build prints.

usage: float_oracle.py [--first SEED] [--programs N] [--operations N] [--keep DIR]

A program has N operations (`float_programs.py`); gcc builds it with -O0 -ffp-contract=off -fno-builtin, and
`cellog measure run` interprets it. Prints every line that differs, with its program's seed and line, and how many were equal, different
and undecided. Status 1 if a line is different.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile

from cases import cellog
from float_programs import program

parser = argparse.ArgumentParser()
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--programs", type=int, default=100)
parser.add_argument("--operations", type=int, default=100)
parser.add_argument("--keep", help="folder for the programs that differ")
options = parser.parse_args()

equal = different = undecided = 0
with tempfile.TemporaryDirectory() as folder:
    source, binary = os.path.join(folder, "p.c"), os.path.join(folder, "p")
    for seed in range(options.first, options.first + options.programs):
        text = program(seed, options.operations)
        with open(source, "w") as file:
            file.write(text)
        subprocess.run(["gcc", "-O0", "-w", "-ffp-contract=off", "-fno-builtin", "-o", binary, source, "-lm"], check=True)
        wanted = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.splitlines()
        run = subprocess.run([cellog(), "measure", "run", source], capture_output=True, text=True, errors="replace")
        said = (run.stderr.strip().splitlines() or [""])[-1]
        got = [line for line in run.stdout.splitlines()][:len(wanted)]
        good = 0
        for number, (a, b) in enumerate(itertools.zip_longest(wanted, got)):
            if a == b:
                good += 1
            elif b is None:
                undecided += 1
            else:
                different += 1
                print(f"seed {seed}, line {number + 1} of the output: gcc {a}, interpreter {b}", flush=True)
        if good < len(wanted):
            print(f"seed {seed}: {good} of {len(wanted)} equal; {said}", flush=True)
            if options.keep:
                with open(os.path.join(options.keep, f"{seed}.c"), "w") as file:
                    file.write(text)
        equal += good
print(f"{options.programs} programs of {options.operations} operations: {equal} lines equal, {different} different, {undecided} undecided")
sys.exit(bool(different))
