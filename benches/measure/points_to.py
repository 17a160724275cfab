#!/usr/bin/env python3
"""Time source to points-to fixpoint on a whole program.

usage: BENCH=DIR points_to.py [--program NAME]... [--limit SECONDS]

Runs `cellog measure points-to -p BENCH/debian/NAME` (default sqlite3) and prints what it says (tuples, mean targets), with the
seconds and the peak memory of the whole process.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

from cases import bench, cellog

parser = argparse.ArgumentParser()
parser.add_argument("--program", action="append")
parser.add_argument("--limit", type=float, default=600)
options = parser.parse_args()

failed = False
for program in options.program or ["sqlite3"]:
    with tempfile.TemporaryFile() as said:
        start = time.time()
        process = subprocess.Popen([cellog(), "measure", "points-to", "-p", bench("debian", program)],
                                   stdout=said, stderr=subprocess.STDOUT)
        pid = 0
        while not pid and time.time() - start < options.limit:
            time.sleep(0.02)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not pid:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.time() - start
        said.seek(0)
        print(said.read().decode("utf8", "replace").rstrip())
    failed |= process.returncode != 0
    print(f"{program}: {'status %d' % process.returncode if pid else 'no end'}, {seconds:.1f} s, "
          f"{usage.ru_utime + usage.ru_stime:.1f} s of processor, {usage.ru_maxrss / 1024:.0f} MB")
sys.exit(failed)
