#!/usr/bin/env python3
"""Loop summaries on whole real programs, as in Tables 3 and 4 of Kroening et al., "Loop Summarization using State and
Transition Invariants".

usage: BENCH=DIR summary_tables.py [--limit SECONDS] [--program NAME]...

Table 3: loops, seconds for summarizing them and for checking, assertions that pass, may fail, or are not decided. Table 4: bounds
of buffers alone, without summaries and with them: how many are not shown, of how many; beside them the published ratios of
the programs in common (other versions, and another way to count what is a check).
"""
import argparse
import json
import os
import subprocess
import time

from cases import bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=float, default=60)
parser.add_argument("--program", action="append")
options = parser.parse_args()

# A program's folder and, where its build makes several, the one that is meant.
PROGRAMS = {"bchunk": [], "jhead": [], "ncompress": [], "lz4": [], "lua5.4": []}
# Loopfrog's failed checks of all.
PUBLISHED = {"bchunk": "8/96 = 0.08", "ncompress": "38/204 = 0.19"}


def run(command, *arguments):
    """What a command says as JSON, and its seconds; None if it does not end."""
    begun = time.time()
    line = [cellog(), command, "--format", "json", "--time-limit", str(options.limit), *arguments]
    try:
        done = subprocess.run(line, capture_output=True, text=True, errors="replace", timeout=3 * options.limit + 60)
        return json.loads(done.stdout), time.time() - begun
    except (subprocess.TimeoutExpired, ValueError):
        return None, time.time() - begun


def count(report, *checks):
    """Findings that are shown, those that err or may, those not decided."""
    verdicts = [f["verdict"] for f in report["findings"] if not checks or f["check"] in checks]
    shown = sum(v in ("safe", "unreachable") for v in verdicts)
    undecided = verdicts.count("unknown")
    return shown, len(verdicts) - shown - undecided, undecided


print("program     loops  ends | summarizing  checking |  total passed violated undecided | bounds: auto / summary | published")
for name in options.program or PROGRAMS:
    folder = ["-p", bench("debian", name), *PROGRAMS.get(name, [])]
    loops, summarizing = run("summarize", *folder)
    reports = {engine: run("check", "--no-cache", "--engine", engine, *folder) for engine in ("auto", "summary")}
    ends = (len(loops["loops"]), sum(l["terminates"] == "yes" for l in loops["loops"])) if loops else ("?", "?")
    report, checking = reports["summary"]
    if report is None:
        print(f"{name:11} no report within {checking:.0f} s")
        continue
    passed, violated, undecided = count(report)
    total = passed + violated + undecided
    ratios = []
    for engine in ("auto", "summary"):
        answer = reports[engine][0]
        if answer is None:
            ratios.append("?")
            continue
        shown, failed, open_ = count(answer, "out-of-bounds")
        everything = shown + failed + open_
        ratios.append(f"{failed + open_}/{everything} = {(failed + open_) / max(1, everything):.2f}")
    print(f"{name:11} {ends[0]:>5} {ends[1]:>5} | {summarizing:9.1f} s {checking:7.1f} s | {total:6} {passed:6} {violated:8} {undecided:9} | "
          f"{' / '.join(ratios)} | {PUBLISHED.get(os.path.basename(name), '')}", flush=True)
