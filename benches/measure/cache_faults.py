#!/usr/bin/env python3
"""What `check` reports when its cache is lost, damaged, full, read-only, shared, or left behind by runs that were killed.

usage: cache_faults.py [FILE.c ...]    (default: tests/c/real/stocktake/*.c)

Prints a row a fault: how many runs gave the report of a run without a cache, and how many did not. Needs root for the small
file system and for the unprivileged user that a read-only folder is read-only to.
"""
import glob
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from cases import cellog

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FILES = sys.argv[1:] or sorted(glob.glob(str(REPOSITORY / "tests/c/real/stocktake/*.c")))
random.seed(1)


def command(*more):
    # Time is no limit here, so that a slow machine is no fault.
    return [str(cellog()), "check", "--format", "json", "--time-limit", "3600", *FILES, *more]


def report(*more, **options):
    """The report and the seconds it took; a hang is a failure."""
    start = time.monotonic()
    text = subprocess.run(command(*more), capture_output=True, timeout=3600, **options).stdout
    return text, time.monotonic() - start


def row(name, outcomes):
    good = sum(outcomes)
    print(f"{name:44} {good:4} right {len(outcomes) - good:4} wrong", flush=True)
    return good == len(outcomes)


expected, alone = report("--no-cache")
folder = pathlib.Path(tempfile.mkdtemp())
fine = True
try:
    kept = folder / "kept"
    first, filling = report("--cache", kept)
    second, recalled = report("--cache", kept)
    print(f"without a cache {alone:.2f} s, filling it {filling:.2f} s, from it {recalled:.2f} s ({recalled / filling:.0%})")
    fine &= row("filling, and from it", [first == expected, second == expected])

    outcomes = []
    for _ in range(20):
        shutil.rmtree(kept, ignore_errors=True)
        process = subprocess.Popen(command("--cache", kept), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, filling))
        process.send_signal(signal.SIGKILL)
        process.wait()
        outcomes.append(report("--cache", kept)[0] == expected)
    fine &= row("after kill -9 in the middle", outcomes)

    outcomes = []
    for _ in range(20):
        for file in kept.iterdir():
            data = bytearray(file.read_bytes())
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            file.write_bytes(data[: random.choice([len(data), random.randrange(len(data))])])
        outcomes.append(report("--cache", kept)[0] == expected)
    fine &= row("after a bit is changed or the end cut off", outcomes)

    shutil.rmtree(kept)
    outcomes = []
    for _ in range(5):
        runs = [subprocess.Popen(command("--cache", kept), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(4)]
        outcomes += [run.communicate(timeout=3600)[0] == expected for run in runs]
    fine &= row("four runs at once", outcomes)

    if os.geteuid() == 0:
        small = folder / "small"
        small.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small], check=True)
        try:
            (small / "filler").write_bytes(b"x" * 12288)
            fine &= row("on a full disk", [report("--cache", small)[0] == expected for _ in range(2)])
        finally:
            subprocess.run(["umount", small], check=True)
        os.chmod(folder, 0o755)
        os.chmod(kept, 0o555)
        outcomes = []
        for content in ["full", "empty"]:
            if content == "empty":
                for file in kept.iterdir():
                    file.unlink()
            outcomes.append(report("--cache", kept, user="nobody")[0] == expected)
        fine &= row("read-only, full and empty", outcomes)
finally:
    shutil.rmtree(folder, ignore_errors=True)
sys.exit(not fine)
