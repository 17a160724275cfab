#!/usr/bin/env python3
"""Replay definite findings of Juliet's bad variants under the compiler's sanitizers.

usage: BENCH=DIR juliet_replay.py [--findings N] [--seed S] [--cwe N]... [--limit SECONDS] [--verbose]

Draws cases of each CWE until it has as many with a definite finding as its share of N asks for (cases without one are passed over),
and runs `cellog replay` on the first such finding of each. Prints a row a CWE: how many were confirmed, not visible to
sanitizers, not reproduced; then the reasons with their numbers.
"""
import argparse
import collections
import json
import re
import subprocess

import juliet
from cases import cellog

parser = argparse.ArgumentParser()
parser.add_argument("--findings", type=int, default=100)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cwe", type=int, action="append")
parser.add_argument("--limit", type=float, default=120)
parser.add_argument("--verbose", action="store_true")
options = parser.parse_args()
CLASSES = ["confirmed", "not visible to sanitizers", "not reproduced", "no answer"]


def run(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit).stdout
    except subprocess.TimeoutExpired:
        return ""


table = collections.defaultdict(collections.Counter)
reasons = collections.Counter()


def replayed(cwe, case, files):
    """Notes what becomes of the replay of the case's first definite finding; false without one."""
    program = ["--entry", f"{case}_bad", *juliet.checks(cwe), *files, juliet.support(), "--", *juliet.flags("bad")]
    try:
        findings = json.loads(run([cellog(), "check", "--format", "json", *program]))["findings"]
    except ValueError:
        return False
    definite = juliet.definite(findings)
    if not definite:
        return False
    finding = definite[0]
    out = run([cellog(), "replay", finding["id"], *program])
    line = (out.strip().splitlines() or ["no answer: none within the limit"])[-1]
    name, _, why = line.partition(": ")
    name = name if name in CLASSES else "no answer"
    table[cwe][name] += 1
    table["all"][name] += 1
    if name != "confirmed":
        reasons[f"{name} ({finding['check']}): {re.sub(r'[/0-9a-zA-Z_.]*[/][^ ]*', 'FILE', why)}"] += 1
    if options.verbose:
        print(case, finding["check"], finding["line"], finding["id"], line, flush=True)
    return True


juliet.draw(options.findings, options.seed, options.cwe or juliet.CWES, replayed)

for cwe, row in table.items():
    print(f"{f'CWE{cwe}' if cwe != 'all' else 'all':8}", "  ".join(f"{name} {row[name]:3}" for name in CLASSES))
for reason, count in reasons.most_common():
    print(f"{count:4}  {reason}")
