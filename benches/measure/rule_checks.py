#!/usr/bin/env python3
"""What the checks made of rules find on six real programs.

usage: BENCH=DIR rule_checks.py [--program NAME]... [--sample N] [--limit SECONDS]

Prints a row a program with the findings of each check, and of each check up to N findings over all programs, drawn evenly,
with their lines to read. The library zlib is entered in `uncompress`.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

from cases import bench, cellog

PROGRAMS = ["bchunk", "jhead", "ncompress", "zlib", "lua5.4", "lz4"]
ENTRIES = {"zlib": "uncompress"}

parser = argparse.ArgumentParser()
parser.add_argument("--program", action="append")
parser.add_argument("--sample", type=int, default=5)
parser.add_argument("--limit", type=float, default=120)
options = parser.parse_args()


def line_of(folder, finding):
    path = finding["file"]
    path = path if os.path.exists(path) else os.path.join(folder, path)
    try:
        with open(path, encoding="latin-1") as text:
            return text.read().splitlines()[finding["line"] - 1].strip()[:120]
    except (OSError, IndexError):
        return "?"


found, failed = collections.defaultdict(list), False
for program in options.program or PROGRAMS:
    folder = bench("debian", program)
    command = [cellog(), "check", "-p", folder, "--checks", "rules", "--format", "json", "--time-limit", str(options.limit)]
    if program in ENTRIES:
        command += ["--entry", ENTRIES[program]]
    ended = subprocess.run(command, capture_output=True, text=True)
    failed |= ended.returncode not in (0, 1)
    try:
        findings = [f for f in json.loads(ended.stdout)["findings"] if f["engine"] == "rules"]
    except ValueError:
        print(f"{program}: status {ended.returncode}: {ended.stderr.strip()[-200:]}")
        continue
    counts = collections.Counter(f["check"] for f in findings)
    print(f"{program}: status {ended.returncode}, {dict(sorted(counts.items()))}", flush=True)
    for f in findings:
        found[f["check"]].append((program, f, line_of(folder, f)))

for check, those in sorted(found.items()):
    step = max(1, len(those) // max(1, options.sample))
    for program, f, text in those[::step][:options.sample]:
        print(f"{check}: {program} {os.path.basename(f['file'])}:{f['line']} {f['function']}: {f['message']} | {text}")
sys.exit(failed)
