#!/usr/bin/env python3
"""Run `cellog check` on the Verisec pairs: R(d), R(f) and R(not f given d), as in Table 2 of Kroening et al., "Loop
Summarization using State and Transition Invariants". Its programs mean uninitialized buffers to hold inputs.

usage: BENCH=DIR verisec.py [--limit SECONDS] [--every N] [--engine auto|summary] [--jobs N] [--verbose]

A version is reported if some access of memory is definite, possible or unknown. R(d): bad versions reported; R(f): good ones
reported; R(not f given d): pairs whose bad version is reported and whose good one is not. A second row counts definite findings only.
The third leaves out, as the paper does, pairs whose bad version is shown not to err, and also those whose good version errs in a run.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

from cases import bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=float, default=10)
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--engine", default="summary")
parser.add_argument("--jobs", type=int, default=1)
parser.add_argument("--verbose", action="store_true")
options = parser.parse_args()

# With unwritten numbers as inputs, what is read uninitialized is a pointer that is about to be used.
MEMORY = {"null-deref", "out-of-bounds", "use-after-free", "double-free", "invalid-free", "uninit-read"}
# The suite's header switches its `memcpy` to a form that dereferences `void *`; it has another one, in C.
LIBRARY = tempfile.TemporaryDirectory()
for name in ("base.h", "stubs.h", "stubs.c"):
    text = open(bench("verisec", "lib", name)).read()
    with open(os.path.join(LIBRARY.name, name), "w") as out:
        out.write(text.replace("#define TYPECAST_MEMCPY 0", "#define TYPECAST_MEMCPY 1"))
STUBS = os.path.join(LIBRARY.name, "stubs.c")


def verdicts(path):
    """The verdicts on accesses of memory in one version; None if there is no report."""
    command = [cellog(), "check", "--no-cache", "--engine", options.engine, "--format", "json", "--unwritten-inputs",
               "--time-limit", str(options.limit), path, STUBS]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=10 * options.limit + 60)
        report = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None
    found = [f for f in report["findings"] if f["check"] in MEMORY and f["verdict"] not in ("safe", "unreachable")]
    return {(f["verdict"], os.path.basename(f["file"]), f["line"], f["check"]) for f in found}


pairs = {}
for row in open(bench("verisec", "tasks.tsv")):
    path, good, _ = row.rstrip("\n").split("\t")
    path = path if os.path.isabs(path) else bench("verisec", path)
    pairs.setdefault(path.replace("_ok.c", "").replace("_bad.c", ""), {})[good == "true"] = path
chosen = [pairs[name] for name in sorted(pairs) if len(pairs[name]) == 2][::options.every]

begun = time.time()
counts = {"any": [0, 0, 0], "definite": [0, 0, 0]}
mislabelled = {"bad version does not err": [], "good version errs": []}
silent, right = 0, []
with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    found = pool.map(verdicts, [pair[kind] for pair in chosen for kind in (False, True)])
    judged = list(zip(chosen, *[iter(found)] * 2))
for pair, bad, good in judged:
    silent += (bad is None) + (good is None)
    if bad is not None and not bad:
        mislabelled["bad version does not err"].append(pair[False])
    elif any(v[0] == "definite" for v in good or ()):
        mislabelled["good version errs"].append(pair[True])
    else:
        right.append((bool(bad), bool(good)))
    for name, kinds in (("any", ("definite", "possible", "unknown")), ("definite", ("definite",))):
        d, f = (any(v[0] in kinds for v in found or ()) for found in (bad, good))
        counts[name][0] += d
        counts[name][1] += f
        counts[name][2] += d and not f
        if options.verbose and name == "any" and (not d or f):
            print("MISSED" if not d else "alarm ", pair[False] if not d else pair[True], sorted(good or [])[:3])
        if options.verbose and name == "definite" and not d:
            print("not definite", pair[False], sorted(bad or [])[:3])
            sys.stdout.flush()
for name, (d, f, both) in counts.items():
    n = max(1, len(chosen))
    print(f"{name:9} R(d) {d / n:.2f}  R(f) {f / n:.2f}  R(not f given d) {both / n:.2f}   pairs {len(chosen)}, no report {silent}")
n = max(1, len(right))
d, f, both = (sum(map(test, right)) for test in (lambda p: p[0], lambda p: p[1], lambda p: p[0] and not p[1]))
print(f"{'third':9} R(d) {d / n:.2f}  R(f) {f / n:.2f}  R(not f given d) {both / n:.2f}   pairs {len(right)}")
for what, names in mislabelled.items():
    print(f"{what}: {len(names)}", *(os.path.basename(os.path.dirname(name)) + "/" + os.path.basename(name) for name in names))
print(f"{(time.time() - begun) * options.jobs / max(1, 2 * len(chosen)):.2f} s a version, {options.jobs} at a time")
