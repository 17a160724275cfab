#!/usr/bin/env python3
"""Parse, lower and link every Juliet case with its bad and its good functions.

usage: BENCH=DIR juliet_lower.py [--variant whole|bad|good] [--cwe N]... [--every N] [--jobs N] [--log FILE]

`whole` (default) is a case with all its functions, `bad` and `good` leave the other ones out. Prints a row a CWE: cases without a
gap / cases, and each gap with its count. Status 1 if there was any. `--log` keeps a line a case in FILE; a later run with the
same file takes up where that one ended.
"""
import argparse
import collections
import os
import sys
import time

import juliet
from cases import lower

parser = argparse.ArgumentParser()
parser.add_argument("--variant", choices=["whole", "bad", "good"], default="whole")
parser.add_argument("--cwe", type=int, action="append")
parser.add_argument("--every", type=int, default=1, help="only every Nth case")
parser.add_argument("--jobs", type=int, default=2)
parser.add_argument("--log")
options = parser.parse_args()

cwe_of, listing = {}, []
for cwe, case, files in list(juliet.cases(options.cwe or juliet.CWES))[::options.every]:
    cwe_of[case] = cwe
    listing.append((case, files + [juliet.support()], juliet.flags(options.variant)))



def rows():
    """What `lower` gives for every case: those that the log has, then the others."""
    known = {}
    if options.log and os.path.exists(options.log):
        for line in open(options.log):
            case, lowered, functions, missing = line.rstrip("\n").split("\t")
            known[case] = (case, int(lowered), int(functions), [gap for gap in missing.split(";") if gap])
    yield from (known[case] for case, _, _ in listing if case in known)
    log = open(options.log, "a") if options.log else None
    for row in lower([case for case in listing if case[0] not in known], options.jobs):
        if log:
            print(*row[:3], ";".join(row[3]), sep="\t", file=log, flush=True)
        yield row


start = time.time()
whole, total = collections.Counter(), collections.Counter()
functions, lowered_functions = 0, 0
gaps, example = collections.Counter(), {}
for name, lowered, all_functions, missing in rows():
    cwe = cwe_of[name]
    total[cwe] += 1
    functions += all_functions
    lowered_functions += lowered
    whole[cwe] += lowered == all_functions > 0 and not missing
    if sum(total.values()) % 1000 == 0:
        print(f"{sum(total.values())} of {len(listing)} cases, {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    for gap in missing:
        gaps[gap] += 1
        example.setdefault(gap, name)
for cwe in sorted(total):
    print(f"CWE{cwe:<4} {whole[cwe]:6}/{total[cwe]}")
print(f"all     {sum(whole.values()):6}/{sum(total.values())}   functions {lowered_functions}/{functions}   "
      f"{time.time() - start:.0f} s")
for gap, count in gaps.most_common():
    print(f"gap {count:6}  {gap}   ({example[gap]})")
sys.exit(sum(whole.values()) != sum(total.values()))
