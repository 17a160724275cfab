#!/usr/bin/env python3
"""Run `cellog check` on whole real programs.

usage: BENCH=DIR debian_check.py [--program NAME]... [--limit SECONDS] [--sample N] [--seed S]

Prints a row a program: seconds, peak memory, verdicts. With --sample, N findings of each program, drawn over the verdicts
in turn, with their source lines, for checking by hand. Status 1 if a program does not end within the limit.
"""
import argparse
import collections
import json
import os
import random
import resource
import subprocess
import sys
import time

from cases import bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--program", action="append")
parser.add_argument("--limit", type=float, default=60)
parser.add_argument("--sample", type=int, default=0)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()


def source_line(finding):
    try:
        return open(finding["file"], errors="replace").read().splitlines()[finding["line"] - 1].strip()
    except (OSError, IndexError):
        return "?"


def sample(findings):
    """Findings drawn one verdict after the other, so that rare verdicts are in it."""
    chance = random.Random(options.seed)
    piles = collections.defaultdict(list)
    for finding in findings:
        piles[finding["verdict"]].append(finding)
    for pile in piles.values():
        chance.shuffle(pile)
    drawn = []
    while len(drawn) < options.sample and any(piles.values()):
        for verdict in sorted(piles):
            if piles[verdict] and len(drawn) < options.sample:
                drawn.append(piles[verdict].pop())
    return drawn


failed = False
for program in options.program or ["bchunk", "jhead", "ncompress"]:
    command = [cellog(), "check", "--format", "json", "-p", bench("debian", program)]
    start = time.time()
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit)
    except subprocess.TimeoutExpired:
        print(f"{program:10} no end within {options.limit:.0f} s")
        failed = True
        continue
    seconds = time.time() - start
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        print(f"{program:10} status {run.returncode}, no JSON: {run.stderr.strip()[-200:]}")
        failed = True
        continue
    verdicts = collections.Counter(finding["verdict"] for finding in answer["findings"])
    print(f"{program:10} {seconds:6.1f} s  {memory:6.0f} MB at most so far  {len(answer['findings'])} findings  summary "
          + ", ".join(f"{count} {verdict}" for verdict, count in sorted(answer["summary"].items()))
          + f"  unsupported {len(answer['unsupported'])}  listed {dict(verdicts)}")
    for finding in sample(answer["findings"]):
        place = f"{os.path.basename(finding['file'])}:{finding['line']}:{finding['column']}"
        print(f"    {finding['verdict']:11} {finding['check']:16} {place:24} {source_line(finding)[:100]}")
sys.exit(failed)
