#!/usr/bin/env python3
"""Generate csmith programs and gcc's checksum of each.

usage: BENCH=DIR csmith_generate.py [--jobs N]

BENCH/csmith/NNNN.c: seeds 1 to 1140, small enough to interpret; 1,000 of them end. BENCH/csmith/full/NNNN.c: seeds 1 to 200 with csmith's
defaults, volatile objects too. BENCH/csmith/expected.tsv: file, checksum, or `timeout` for a program that gcc -O0
does not bring to its end in 5 s.
"""
import argparse
import concurrent.futures
import os
import subprocess
import tempfile

from cases import bench

SMALL = ["--no-volatiles", "--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "5"]
SETS = [("", 1140, SMALL), ("full", 200, [])]
INCLUDE = os.environ.get("CSMITH_INCLUDE", "/usr/include/csmith")

parser = argparse.ArgumentParser()
parser.add_argument("--jobs", type=int, default=2)
options = parser.parse_args()
top = os.path.join(bench(), "csmith")


def make(job):
    folder, seed, flags = job
    name = os.path.join(folder, f"{seed:04}.c")
    source = os.path.join(top, name)
    subprocess.run(["csmith", "--seed", str(seed), *flags, "-o", source], check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "program")
        subprocess.run(["gcc", "-w", "-O0", "-I" + INCLUDE, source, "-o", program], check=True)
        try:
            run = subprocess.run([program], capture_output=True, text=True, timeout=5)
        except subprocess.TimeoutExpired:
            return name, "timeout"
    label, _, checksum = run.stdout.strip().partition(" = ")
    return name, checksum if run.returncode == 0 and label == "checksum" else f"status {run.returncode}"


for folder, _, _ in SETS:
    os.makedirs(os.path.join(top, folder), exist_ok=True)
jobs = [(folder, seed, flags) for folder, count, flags in SETS for seed in range(1, count + 1)]
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(os.path.join(top, "expected.tsv"), "w") as out:
    for name, checksum in pool.map(make, jobs):
        out.write(f"{name}\t{checksum}\n")
