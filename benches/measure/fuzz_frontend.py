#!/usr/bin/env python3
"""Fuzz the front end: damage preprocessed C and lower it; nothing may panic, hang or die.

usage: BENCH=DIR fuzz_frontend.py [--minutes N] [--seed S] [--jobs N] [--keep FOLDER]

The corpus is BENCH/pre/*/*.i up to 200 kB, BENCH/csmith and the annotated tests. A mutant is a chunk of one file's top-level text
with tokens deleted, doubled, swapped, replaced by tokens of another file, or bytes flipped. Mutants go to
`cellog measure lower` in batches; a batch that dies is rerun one by one, and what kills is kept in FOLDER.
"""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from cases import TOP, bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--minutes", type=float, default=10)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--keep", default="fuzz-failures")
parser.add_argument("--batch", type=int, default=100)
options = parser.parse_args()
TOKEN = re.compile(rb"[A-Za-z_]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|\n|[ \t]+|<<=|>>=|->|\+\+|--|&&|\|\||.", re.S)

paths = [path for path in glob.glob(bench("pre") + "/*/*.i") if os.path.getsize(path) < 200_000]
paths += sorted(glob.glob(bench("csmith") + "/0*.c"))[:50] + sorted(glob.glob(os.path.join(TOP, "tests/c/**/*.c"), recursive=True))
corpus = [[token for token in TOKEN.findall(open(path, "rb").read())] for path in sorted(paths)]
corpus = [tokens for tokens in corpus if len(tokens) > 20]


def mutant(chance):
    tokens = chance.choice(corpus)
    length = min(len(tokens), chance.choice([200, 2000, 20000]))
    begin = 0 if chance.random() < 0.5 else chance.randrange(len(tokens) - length + 1)
    tokens = tokens[begin:begin + length]
    for _ in range(chance.choice([1, 2, 5, 20])):
        at = chance.randrange(len(tokens))
        span = chance.choice([1, 1, 2, 10, 100])
        kind = chance.randrange(6)
        if kind == 0 and len(tokens) > span:
            del tokens[at:at + span]
        elif kind == 1:
            tokens[at:at] = tokens[at:at + span]
        elif kind == 2:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens[at] = chance.choice(chance.choice(corpus))
        elif kind == 4:
            other = chance.choice(corpus)
            start = chance.randrange(len(other))
            tokens[at:at] = other[start:start + span]
        elif tokens[at]:
            token = bytearray(tokens[at])
            token[chance.randrange(len(token))] = chance.randrange(256)
            tokens[at] = bytes(token)
    return b"".join(tokens)


def dies(listing, limit):
    """Why `cellog measure lower` fails on the list, or None."""
    try:
        run = subprocess.run([cellog(), "measure", "lower", listing], capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"no end within {limit} s"
    text = run.stderr.decode("utf8", "replace") + run.stdout.decode("utf8", "replace")
    panic = next((line for line in text.splitlines() if "panicked at" in line), None)
    if panic or run.returncode < 0 or run.returncode in (3, 101):
        return panic or f"status {run.returncode}"
    return None


def batch(seed):
    """Runs one batch; returns how many mutants and [(why, bytes)] of those that kill."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, f"{n}.c") for n in range(options.batch)]
        for file in files:
            with open(file, "wb") as out:
                out.write(mutant(chance))

        def list_of(some):
            listing = os.path.join(folder, "list.tsv")
            with open(listing, "w") as out:
                out.writelines(f"{os.path.basename(file)}\t{file}\t\n" for file in some)
            return listing

        killers = []
        if dies(list_of(files), 5 * options.batch):
            for file in files:
                why = dies(list_of([file]), 20)
                if why:
                    killers.append((why, open(file, "rb").read()))
        return len(files), killers


end = time.time() + 60 * options.minutes
tried, seen = 0, {}
seeds = iter(range(options.seed * 1_000_000, (options.seed + 1) * 1_000_000))
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    while time.time() < end:
        for count, killers in pool.map(batch, [next(seeds) for _ in range(options.jobs)]):
            tried += count
            for why, text in killers:
                if why not in seen:
                    os.makedirs(options.keep, exist_ok=True)
                    seen[why] = os.path.join(options.keep, f"{len(seen)}.c")
                    open(seen[why], "wb").write(text)
                    print(f"{why}   {seen[why]}", flush=True)
print(f"{tried} mutants, {len(seen)} ways to die")
sys.exit(bool(seen))
