#!/usr/bin/env python3
"""The memory relations by Souffle and by `cellog query`, tuple for tuple.

usage: BENCH=DIR souffle.py [--souffle PATH] [--compiled] [--cxx COMMAND] [--rules NAME]... [--program NAME]... [--c FILE]...
                     [--limit SECONDS] [--memory GB]

For each program, `cellog facts --format souffle` exports facts; Souffle evaluates rules/memory.dl and rules/memory_at.dl over them
(interpreted, or with --compiled translated to C++ first, which --cxx "g++ -O1 -I..." compiles instead of Souffle's own
script), and the tuples of every relation that these files output are compared with those that `cellog query` gives, after
sorting. Prints a row a program: relations, tuples, seconds of processor and peak memory of both. Status 1 if a relation
differs; a program that Souffle does not end on, in time or memory, is told. Souffle has to be built for 64-bit numbers.
"""
import argparse
import csv
import io
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

from cases import TOP, bench, cellog

PROGRAMS = ["bchunk", "jhead", "ncompress", "zlib", "lz4", "lua5.4", "jq", "sqlite3"]

parser = argparse.ArgumentParser()
parser.add_argument("--souffle", default="souffle")
parser.add_argument("--compiled", action="store_true")
parser.add_argument("--rules", action="append", help="a program in rules/ instead, such as memory.dl")
parser.add_argument("--program", action="append")
parser.add_argument("--c", action="append", default=[], help="a C file as a program of its own")
parser.add_argument("--cxx", help="compiles the C++ that Souffle writes, one file")
parser.add_argument("--limit", type=float, default=600)
parser.add_argument("--memory", type=int, default=8, help="GB that Souffle's evaluation may have")
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


class Usage:
    """What a process took: seconds, seconds of processor, peak MB."""

    def __init__(self, seconds=0.0, processor=0.0, memory=0.0):
        self.seconds, self.processor, self.memory = seconds, processor, memory

    def most(self, other):
        pairs = zip(vars(self).values(), vars(other).values())
        return Usage(*[max(pair) for pair in pairs])

    def __str__(self):
        return f"{self.processor:.1f} s of processor ({self.seconds:.1f} s), {self.memory:.0f} MB"


class Stopped(Exception):
    """A process did not end within its limits."""


def run(command, limit=float("inf"), memory=None):
    """Standard output and usage; ends the script with what the command said when it fails. Seconds and GB are limits."""
    def bound():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))

    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        start, pid = time.time(), 0
        process = subprocess.Popen(command, stdout=out, stderr=err, preexec_fn=bound)
        while not pid and time.time() - start < limit:
            time.sleep(0.01)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not pid:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        used = Usage(time.time() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
        out.seek(0), err.seek(0)
        said = err.read()
        if not pid or memory and ("bad_alloc" in said or process.returncode < 0):
            raise Stopped(f"{'no end' if not pid else 'no memory left'}: {used}")
        if process.returncode:
            sys.exit(f"{' '.join(command[:6])}: status {process.returncode}\n{said[-2000:]}")
        return out.read(), used


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
        if options.cxx:
            run([options.souffle, "-g", binary + ".cpp", program])
            _, used = run(shlex.split(options.cxx) + [binary + ".cpp", "-o", binary])
        else:
            _, used = run([options.souffle, "-o", binary, program])
        print(f"compiled in {used}", flush=True)
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
        _, theirs_used = run(command + ["-F", facts, "-D", derived], options.limit, options.memory)
    except Stopped as stopped:
        print(f"{name:12} Souffle: {stopped}", flush=True)
        return True
    equal, tuples, ours_used = True, 0, Usage()
    for relation in RELATIONS:
        columns = ", ".join(f"c{i}" for i in range(COLUMNS[relation]))
        text, took = run([cellog(), "query", "--format", "csv", "--time-limit", str(options.limit), facts, f"{relation}({columns})"])
        ours_used = ours_used.most(took)
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
          f"Souffle {theirs_used}, cellog at most {ours_used} a relation", flush=True)
    return equal


RULES = options.rules or ["memory.dl", "memory_at.dl"]
COLUMNS = declared()
RELATIONS = [r for file in RULES for r in outputs(os.path.join(TOP, "rules", file)) if COLUMNS[r]]
with tempfile.TemporaryDirectory() as folder:
    every = [(p, ["-p", bench("debian", p)]) for p in options.program or ([] if options.c else PROGRAMS)]
    every += [(os.path.splitext(os.path.basename(file))[0], [file]) for file in options.c]
    sys.exit(not all([compare(name, selection, folder) for name, selection in every]))
