#!/usr/bin/env python3
"""The memory relations by Souffle and by `cellog query`, tuple for tuple.

usage: BENCH=DIR souffle.py [--souffle PATH] [--compiled] [--rules NAME]... [--program NAME]... [--c FILE]... [--limit SECONDS]

For each program, `cellog facts --format souffle` exports facts; Souffle evaluates rules/memory.dl and rules/memory_at.dl over them
(interpreted, or with --compiled translated to C++ first), and the tuples of every relation that these files output are compared
with those that `cellog query` gives, after sorting. Prints a row a program: relations, tuples, seconds of both. Status 1 if a
relation differs; a program that Souffle does not end on is told. Souffle has to be built for 64-bit numbers.
"""
import argparse
import csv
import io
import os
import re
import subprocess
import sys
import tempfile
import time

from cases import TOP, bench, cellog

PROGRAMS = ["bchunk", "jhead", "ncompress", "zlib", "lz4", "lua5.4", "jq"]

parser = argparse.ArgumentParser()
parser.add_argument("--souffle", default="souffle")
parser.add_argument("--compiled", action="store_true")
parser.add_argument("--rules", action="append", help="a program in rules/ instead, such as memory.dl")
parser.add_argument("--program", action="append")
parser.add_argument("--c", action="append", default=[], help="a C file as a program of its own")
parser.add_argument("--limit", type=float, default=600)
options = parser.parse_args()


def declared():
    """The number of columns of every relation in rules/ and facts/."""
    columns = {}
    for top in ("rules", "facts"):
        for where, _, files in os.walk(os.path.join(TOP, top)):
            for file in files:
                if file.endswith(".dl"):
                    text = open(os.path.join(where, file)).read()
                    for name, inside in re.findall(r"^\.decl (\w+)\(([^)]*)\)", text, re.M):
                        columns[name] = len([c for c in inside.split(",") if c.strip()])
    return columns


def outputs(file):
    """The relations that a rule file outputs."""
    return [name for line in re.findall(r"^\.output (.*)$", open(file).read(), re.M) for name in re.split(r",\s*", line.strip())]


def run(command, **more):
    """Standard output and seconds; ends the script with what the command said when it fails."""
    start = time.time()
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.limit, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])}: status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout, time.time() - start


def included(file, seen):
    """All files that `file` includes, itself among them."""
    file = os.path.normpath(file)
    if file not in seen:
        seen.add(file)
        for name in re.findall(r'^\.include "([^"]+)"', open(file).read(), re.M):
            included(os.path.join(os.path.dirname(file), name), seen)
    return seen


def rule_file(folder, declarations):
    """One file with the rules and what they read of the facts."""
    path, files = os.path.join(folder, "program.dl"), set()
    with open(path, "w") as file:
        for name in RULES:
            rules = os.path.join(TOP, "rules", name)
            included(rules, files)
            file.write(f'.include "{rules}"\n')
        known = {name for f in files for name in re.findall(r"^\.decl (\w+)", open(f).read(), re.M)}
        file.writelines(line for line in open(declarations) if line.startswith(".input") and line.split()[1].split("(")[0] in known)
    return path


def evaluator(folder, facts):
    """The command that evaluates the rules by Souffle, but for the folders."""
    program = rule_file(folder, os.path.join(facts, "decls.dl"))
    if not options.compiled:
        return [options.souffle, program]
    binary = os.path.join(folder, "program")
    if not os.path.exists(binary):
        run([options.souffle, "-o", binary, program])
    return [binary]


def rows_of(text, delimiter):
    return sorted("\t".join(row) for row in csv.reader(io.StringIO(text), delimiter=delimiter,
                                                      quoting=csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE))


def compare(name, selection, folder):
    """Compares one program; whether all is equal."""
    facts, derived = os.path.join(folder, f"{name}.facts"), os.path.join(folder, f"{name}.derived")
    os.makedirs(derived)
    run([cellog(), "facts", "--format", "souffle", "-o", facts, *selection])
    command = evaluator(folder, facts)
    try:
        _, seconds = run(command + ["-F", facts, "-D", derived])
    except subprocess.TimeoutExpired:
        print(f"{name:12} Souffle has not ended in {options.limit:.0f} s", flush=True)
        return True
    equal, tuples, ours = True, 0, 0.0
    for relation in RELATIONS:
        columns = ", ".join(f"c{i}" for i in range(COLUMNS[relation]))
        text, took = run([cellog(), "query", "--format", "csv", "--time-limit", str(options.limit), facts, f"{relation}({columns})"])
        ours = max(ours, took)
        mine = rows_of(text.split("\n", 1)[1], ",")
        theirs = rows_of(open(os.path.join(derived, f"{relation}.csv")).read(), "\t")
        tuples += len(mine)
        if mine != theirs:
            equal = False
            print(f"{name}: {relation}: {len(mine)} tuples here, {len(theirs)} by Souffle")
            for side, other, where in ((mine, theirs, "here"), (theirs, mine, "by Souffle")):
                known = set(other)
                for row in [row for row in side if row not in known][:3]:
                    print(f"    only {where}: {row}")
    print(f"{name:12} {len(RELATIONS)} relations, {tuples} tuples, {'equal' if equal else 'NOT EQUAL'}; "
          f"Souffle {seconds:.1f} s, cellog at most {ours:.1f} s a relation", flush=True)
    return equal


RULES = options.rules or ["memory.dl", "memory_at.dl"]
COLUMNS = declared()
RELATIONS = [r for file in RULES for r in outputs(os.path.join(TOP, "rules", file)) if COLUMNS[r]]
with tempfile.TemporaryDirectory() as folder:
    every = [(p, ["-p", bench("debian", p)]) for p in options.program or ([] if options.c else PROGRAMS)]
    every += [(os.path.splitext(os.path.basename(file))[0], [file]) for file in options.c]
    sys.exit(not all([compare(name, selection, folder) for name, selection in every]))
