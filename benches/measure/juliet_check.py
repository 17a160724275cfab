#!/usr/bin/env python3
"""Run `cellog check` on a sample of Juliet cases, bad and good variants apart.

usage: BENCH=DIR juliet_check.py [--per-cwe N] [--seed S] [--cwe N]... [--limit SECONDS] [--jobs N] [--verbose]
                                 [--tool cellog|undecided|cbmc|frama-c]

A bad variant counts as found when something definite is reported within 5 lines from a FLAW comment of one of its files on,
or in the suite's io.c (a bad pointer handed to its print functions errs there). A good variant counts as a false
alarm when anything definite is reported in it. Lines with the suite's RAND macros are left out in both: they wrap on
purpose. For CWE 190 and 191 unsigned wrap-around and value-changing conversions are asked for too, since
some of their cases err only so. Prints a row a CWE: found/bad, false alarms/good, mean seconds a run; and at the end
the processor time of all runs, which other programs on the machine do not change.

`--tool` has another analyzer judge the same cases: what it reports counts as definite. With `undecided` it is `cellog`, and what is possible
or unknown counts too.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import resource
import subprocess
import time

import juliet
from cases import cellog

parser = argparse.ArgumentParser()
parser.add_argument("--per-cwe", type=int, default=6)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cwe", type=int, action="append")
parser.add_argument("--limit", type=float, default=20)
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--verbose", action="store_true")
parser.add_argument("--tool", choices=["cellog", "undecided", "cbmc", "frama-c"], default="cellog")
options = parser.parse_args()


def lines_with(word, files):
    """(base name, line) of each line that has the word."""
    return {(os.path.basename(file), number) for file in files
            for number, line in enumerate(open(file, errors="replace"), 1) if word in line}


def of_cellog(text):
    counted = {"definite"} if options.tool == "cellog" else {"definite", "possible", "unknown"}
    return {(os.path.basename(f["file"]), f["line"]) for f in json.loads(text)["findings"] if f["verdict"] in counted}


def of_cbmc(text):
    found, file = set(), None
    for line in text.splitlines():
        if match := re.match(r"(\S+\.c) function", line):
            file = os.path.basename(match[1])
        elif match := re.match(r"\[.*\] line (\d+) .*: FAILURE$", line):
            found.add((file, int(match[1])))
    return found


def of_frama_c(text):
    return {(os.path.basename(m[0]), int(m[1])) for m in re.findall(r"\[eva:alarm\] (\S+):(\d+):", text)}


def command(case, cwe, files, variant):
    """The words that run the tool, and what reads its answer."""
    entry, flags, wraps = f"{case}_{variant}", juliet.flags(variant), cwe in (190, 191)
    if options.tool == "cbmc":
        checks = ["--unsigned-overflow-check", "--conversion-check"] if wraps else []
        bound = ["--unwind", "12", "--no-unwinding-assertions"]
        return ["cbmc", "--function", entry, *flags, *files, juliet.support(), *bound, *checks], of_cbmc
    if options.tool == "frama-c":
        eva = ["-eva", "-eva-precision", "2", "-no-autoload-plugins", "-load-module", "eva,scope,from,inout"]
        return ["frama-c", *eva, f"-cpp-extra-args={' '.join(flags)}", "-main", entry, *files, juliet.support()], of_frama_c
    checks = ["--checks", "default,unsigned-overflow,conversion"] if wraps else []
    check = [cellog(), "check", "--format", "json", "--entry", entry, *checks, *files, juliet.support(), "--", *flags]
    return check, of_cellog


def definite(case, cwe, files, variant):
    """(base name, line) of each definite finding, or None for no answer; and the seconds it took."""
    words, read = command(case, cwe, files, variant)
    start = time.time()
    try:
        run = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=options.limit)
        found = read(run.stdout)
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None, time.time() - start
    return found - lines_with("RAND", files), time.time() - start


def judge(job):
    cwe, case, files = job
    flaws = {(file, line + more) for file, line in lines_with("FLAW", files) for more in range(6)}
    bad, bad_seconds = definite(case, cwe, files, "bad")
    good, good_seconds = definite(case, cwe, files, "good")
    found = bool(bad) and any(place in flaws or place[0] == "io.c" for place in bad)
    return cwe, case, found, bad, good, bad_seconds + good_seconds


by_cwe = collections.defaultdict(list)
for row in juliet.cases(options.cwe or juliet.CWES):
    by_cwe[row[0]].append(row)
chance = random.Random(options.seed)
sample = [row for cwe in sorted(by_cwe) for row in chance.sample(by_cwe[cwe], min(options.per_cwe, len(by_cwe[cwe])))]

table = collections.defaultdict(lambda: [0, 0, 0, 0, 0.0])
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for cwe, case, found, bad, good, seconds in pool.map(judge, sample):
        for row in (table[cwe], table["all"]):
            row[0] += 1
            row[1] += found
            row[2] += bool(good)
            row[3] += (bad is None) + (good is None)
            row[4] += seconds
        if options.verbose:
            print(case, "found" if found else "missed", sorted(bad or []), "FALSE ALARM" if good else "", sorted(good or []))
for cwe, (cases, found, alarms, silent, seconds) in table.items():
    print(f"{f'CWE{cwe}' if cwe != 'all' else 'all':8} found {found:3}/{cases:<3} false alarms {alarms:3}/{cases:<3} "
          f"no answer {silent:3}/{2 * cases:<3} {seconds / (2 * cases):6.2f} s a run")
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"processor time {used.ru_utime + used.ru_stime:.1f} s")
