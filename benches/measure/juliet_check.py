#!/usr/bin/env python3
"""Run `cellog check` on Juliet cases, bad and good variants apart.

usage: BENCH=DIR juliet_check.py [--per-cwe N | --all] [--seed S] [--cwe N]... [--limit SECONDS] [--jobs N] [--log FILE] [--verbose]
                                 [--tool cellog|undecided|cbmc|frama-c]

A bad variant counts as found when something definite is reported within 5 lines from a FLAW comment of one of its files on,
or in the suite's io.c (a bad pointer handed to its print functions errs there); else as possible when a possible or unknown
place is there; else as missed. A good variant counts as a false alarm when anything definite is reported in it. Lines with
the suite's RAND macros are left out in both: they wrap on purpose. For CWE 190 and 191 unsigned wrap-around and
value-changing conversions are asked for too, since some of their cases err only so.

Prints a row a CWE, with wall and processor seconds a run and the greatest memory. With --log a row a run is appended to FILE,
and runs that are there already are taken from it: what was stopped goes on.

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
import subprocess
import tempfile
import threading
import time

import juliet
from cases import cellog

parser = argparse.ArgumentParser()
parser.add_argument("--per-cwe", type=int, default=6)
parser.add_argument("--all", action="store_true")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--cwe", type=int, action="append")
parser.add_argument("--limit", type=float, default=20)
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--log")
parser.add_argument("--verbose", action="store_true")
parser.add_argument("--tool", choices=["cellog", "undecided", "cbmc", "frama-c"], default="cellog")
options = parser.parse_args()

Run = collections.namedtuple("Run", "cwe case variant outcome seconds processor megabytes places")


def lines_with(word, files):
    """(base name, line) of each line that has the word."""
    return {(os.path.basename(file), number) for file in files
            for number, line in enumerate(open(file, errors="replace"), 1) if word in line}


def of_cellog(text):
    """Places with something definite, and such with something else that is reported."""
    definite, others = set(), set()
    for f in json.loads(text)["findings"]:
        place = (os.path.basename(f["file"]), f["line"])
        if f["verdict"] == "definite" or f["verdict"] in ("possible", "unknown") and options.tool == "undecided":
            definite.add(place)
        elif f["verdict"] in ("possible", "unknown"):
            others.add(place)
    return definite, others


def of_cbmc(text):
    found, file = set(), None
    for line in text.splitlines():
        if match := re.match(r"(\S+\.c) function", line):
            file = os.path.basename(match[1])
        elif match := re.match(r"\[.*\] line (\d+) .*: FAILURE$", line):
            found.add((file, int(match[1])))
    return found, set()


def of_frama_c(text):
    return {(os.path.basename(m[0]), int(m[1])) for m in re.findall(r"\[eva:alarm\] (\S+):(\d+):", text)}, set()


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
    check = [cellog(), "check", "--no-cache", "--format", "json", "--entry", entry, *checks, *files, juliet.support(), "--", *flags]
    return check, of_cellog


def reports(words, read):
    """The places that the tool reports, or None for no answer; wall seconds, processor seconds, megabytes."""
    start = time.time()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, stdout=said, stderr=subprocess.DEVNULL)
        timer = threading.Timer(options.limit, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        costs = time.time() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        said.seek(0)
        try:
            if process.returncode < 0:
                return None, *costs
            return read(said.read().decode("utf8", "replace")), *costs
        except (ValueError, KeyError):
            return None, *costs


def outcome_of(variant, flaws, definite, others):
    """What a run counts as: the places of what is reported against those of flaws."""
    if variant == "good":
        return "alarm" if definite else "quiet"
    for outcome, places in (("found", definite), ("possible", others)):
        if any(place in flaws or place[0] == "io.c" for place in places):
            return outcome
    return "elsewhere" if definite else "missed"


def judge(job):
    cwe, case, files, variant = job
    found, *costs = reports(*command(case, cwe, files, variant))
    if found is None:
        return Run(cwe, case, variant, "no answer", *costs, "")
    definite = found[0] - lines_with("RAND", files)
    flaws = {(file, line + more) for file, line in lines_with("FLAW", files) for more in range(6)}
    places = " ".join(f"{file}:{line}" for file, line in sorted(definite))
    return Run(cwe, case, variant, outcome_of(variant, flaws, definite, found[1]), *costs, places)


def known_runs():
    """The runs that the log has already."""
    if not options.log or not os.path.exists(options.log):
        return {}
    rows = [line.rstrip("\n").split("\t") for line in open(options.log)]
    runs = [Run(int(r[0]), r[1], r[2], r[3], *map(float, r[4:7]), r[7]) for r in rows if len(r) == 8]
    return {(run.case, run.variant): run for run in runs}


def sample():
    by_cwe = collections.defaultdict(list)
    for row in juliet.cases(options.cwe or juliet.CWES):
        by_cwe[row[0]].append(row)
    chance = random.Random(options.seed)
    for cwe in sorted(by_cwe):
        yield from by_cwe[cwe] if options.all else chance.sample(by_cwe[cwe], min(options.per_cwe, len(by_cwe[cwe])))


def print_table(runs):
    groups = collections.defaultdict(list)
    for run in runs:
        groups[f"CWE{run.cwe}"].append(run)
    for name, those in [*groups.items(), ("all", runs)]:
        count = collections.Counter(run.outcome for run in those)
        bad = sum(run.variant == "bad" for run in those)
        costs = [sum(getattr(run, what) for run in those) / len(those) for what in ("seconds", "processor")]
        print(f"{name:8} found {count['found']:5}/{bad:<5} possible {count['possible']:4} elsewhere {count['elsewhere']:3} "
              f"missed {count['missed']:3} no answer {count['no answer']:3} false alarms {count['alarm']:3}/{len(those) - bad:<5} "
              f"{costs[0]:.2f} s, {costs[1]:.2f} s of processor a run, {max(run.megabytes for run in those):.0f} MB at most")


known = known_runs()
jobs = [(*row, variant) for row in sample() for variant in ("bad", "good")]
log = open(options.log, "a") if options.log else None
done = []
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for job, run in zip(jobs, pool.map(lambda job: known.get((job[1], job[3])) or judge(job), jobs)):
        done.append(run)
        if log and (run.case, run.variant) not in known:
            print(*run[:4], *(f"{cost:.2f}" for cost in run[4:7]), run.places, sep="\t", file=log, flush=True)
        if options.verbose:
            print(run.case, run.variant, run.outcome, run.places, flush=True)
print_table(done)
