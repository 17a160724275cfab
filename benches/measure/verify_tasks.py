#!/usr/bin/env python3
"""Runs `cellog verify` over a list of tasks, engine by engine, and prints a row each.

usage: verify_tasks.py TASKS [--cellog PATH] [--engine NAME]... [--property NAME] [--limit SECONDS]
                       [--every N] [--out FILE] [--resume] [--shares] [-- OPTIONS OF CELLOG]

A line of TASKS is a file, a tab, and `true` or `false`: what is expected; behind another tab it may have a category. Besides the counts, a row has the CPU seconds
of the tasks that were decided rightly, and how many of them took at most 0.1, 1 and 10 seconds of wall time.
With categories there is a row for each engine and category as well, and wrong answers are named. With --resume what FILE says already
is not run again. With --shares another table tells by engine how many checked interpolant sequences each strategy has made, and for how many
paths none was found. Attempts under way when a task is decided are not in it.
"""
import argparse
import collections
import io
import os
import re
import subprocess
import sys
import time

ENGINES = ["auto", "bmc", "k-induction", "predicate-abstraction", "impact", "summary"]
QUANTILES = [0.1, 1.0, 10.0]
STRATEGIES = ["backward", "forward", "cubes", "synthesis", "not found"]


def judge(options, engine, file):
    """The verdict on one file, with wall and CPU seconds, and the interpolant sequences by strategy."""
    command = [options.cellog, "verify", "--property", options.property, "--engine", engine]
    command += ["--time-limit", str(options.limit), file, *options.rest]
    command += ["--verbose"] if options.shares else []
    said = ""
    start, before = time.time(), os.times()
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit * 2 + 5)
        last, said = (ended.stdout.strip().split("\n") or [""])[-1], ended.stderr
    except subprocess.TimeoutExpired:
        last = "RESULT: UNKNOWN (killed)"
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    verdict = {"RESULT: TRUE": "true", "RESULT: FALSE": "false"}.get(last, "unknown")
    return verdict, time.time() - start, cpu, last, shares(said)


def shares(said):
    """How many sequences came from which strategy, as `--verbose` tells."""
    made = collections.Counter()
    for line in re.findall(r"^\s*interpolants: (.*)$", said, re.MULTILINE):
        for count, strategy in re.findall(r"(\d+) ([a-z ]+)", line):
            made[strategy.strip()] += int(count)
    return made


def earlier(out):
    """What an earlier run has written, as `judge` gives it."""
    known = {}
    with open(out, encoding="utf-8") if os.path.exists(out) else io.StringIO() as lines:
        for line in lines:
            engine, file, _, verdict, wall, cpu, last = line.rstrip("\n").split("\t")
            known[engine, file] = verdict, float(wall), float(cpu), last, collections.Counter()
    return known


def row(counts):
    """The columns that tell how many answers were right."""
    return f"{counts['true']} | {counts['false']} | {counts['wrong']} | {counts['unknown']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks")
    parser.add_argument("--cellog", default="target/release/cellog")
    parser.add_argument("--engine", action="append", choices=ENGINES)
    parser.add_argument("--property", default="unreach-call")
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--out")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--shares", action="store_true")
    own, rest = (sys.argv[1:], []) if "--" not in sys.argv else (
        sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") :])
    options = parser.parse_args(own)
    options.rest = rest
    with open(options.tasks, encoding="utf-8") as lines:
        tasks = [(line.rstrip("\n").split("\t") + [""])[:3] for line in lines if "\t" in line][:: options.every]
    known = earlier(options.out) if options.resume else {}
    out = open(options.out, "a" if options.resume else "w", encoding="utf-8") if options.out else None
    print("| engine | correct true | correct false | wrong | unknown | CPU s | " +
          " | ".join(f"<= {q:g} s" for q in QUANTILES) + " |")
    print("|---|---|---|---|---|---|" + "---|" * len(QUANTILES))
    made, by_category, wrong = {}, {}, []
    for engine in options.engine or ENGINES:
        counts, cpu_sum, walls = collections.Counter(), 0.0, []
        made[engine] = collections.Counter()
        for file, expected, category in tasks:
            again = (engine, file) not in known
            verdict, wall, cpu, last, sequences = judge(options, engine, file) if again else known[engine, file]
            made[engine] += sequences
            kind = "unknown" if verdict == "unknown" else verdict if verdict == expected else "wrong"
            counts[kind] += 1
            by_category.setdefault((engine, category), collections.Counter())[kind] += 1
            if kind == "wrong":
                wrong.append((engine, file, last))
            if kind in ("true", "false"):
                cpu_sum += cpu
                walls.append(wall)
            if out and again:
                print(engine, file, expected, verdict, f"{wall:.2f}", f"{cpu:.2f}", last, sep="\t", file=out, flush=True)
        within = " | ".join(str(sum(w <= q for w in walls)) for q in QUANTILES)
        print(f"| `{engine}` | {row(counts)} | {cpu_sum:.0f} | {within} |", flush=True)
    if any(category for _, category in by_category):
        print("\n| engine | category | correct true | correct false | wrong | unknown |\n|---|---|---|---|---|---|")
        for (engine, category), counts in sorted(by_category.items()):
            print(f"| `{engine}` | {category} | {row(counts)} |")
    for engine, file, last in wrong:
        print(f"wrong: {engine} {file} {last}")
    if options.shares:
        print("\n| engine | " + " | ".join(STRATEGIES) + " |\n|---|" + "---|" * len(STRATEGIES))
        for engine, sequences in made.items():
            print(f"| `{engine}` | " + " | ".join(str(sequences[s]) for s in STRATEGIES) + " |")


if __name__ == "__main__":
    main()
