#!/usr/bin/env python3
"""Run `cellog check` from `main` on old releases with known errors: which of them are definite, and whether `replay` confirms them.

usage: BENCH=DIR known_errors.py [--limit SECONDS] [--replay] [NAME...]

Each program is a folder BENCH/known/NAME. An error counts as found when a definite finding stands at one of its lines; all that is definite is
listed, for reading. The table here has what public lists say; a program without entries is run and listed all the same.
"""
import argparse
import json
import os
import subprocess
import tempfile

from cases import bench, cellog

# Folder: C files, preprocessor flags, and for each known error its file and lines.
PROGRAMS = {
    "bchunk-1.2.0": (["bchunk.c"], [], {
        "CVE-2017-15953, CVE-2017-15954 (name of a track)": ("bchunk.c", range(276, 281)),
        "CVE-2017-15955 (index before the first track)": ("bchunk.c", range(474, 476)),
    }),
    "ncompress-4.2.4": (["compress42.c"], ["-DCOMPILE_DATE=0", "-DDIRENT", "-DUTIME_H", "-DNOFUNCDEF", "-D_GNU_SOURCE"], {
        "CVE-2001-1413 (long file name)": ("compress42.c", range(886, 887)),
        "CVE-2006-1168 (codes of a compressed file)": ("compress42.c", range(1730, 1790)),
    }),
    "ngiflib-0.4": (["gif2tga.c", "ngiflib.c"], [], {}),
    "jhead-3.00": (["jhead.c", "exif.c", "gpsinfo.c", "iptc.c", "jpgfile.c", "jpgqguess.c", "makernote.c", "paths.c"], [], {}),
}

parser = argparse.ArgumentParser()
parser.add_argument("--limit", type=float, default=300)
parser.add_argument("--replay", action="store_true")
parser.add_argument("names", nargs="*", metavar="NAME")
options = parser.parse_args()


def report(folder, files, flags, out):
    """The report on a program; None if there is none."""
    command = [cellog(), "check", *files, "--no-cache", "--effort", "limit", "--time-limit", str(options.limit),
               "--format", "json", "-o", out, "--", *flags]
    subprocess.run(command, cwd=folder, capture_output=True)
    try:
        with open(out) as text:
            return json.load(text)
    except (OSError, ValueError):
        return None


def replayed(folder, files, flags, out, identity):
    """What `replay` says of a finding."""
    command = [cellog(), "replay", identity, *files, "--report", out, "--", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    lines = done.stdout.strip().splitlines()
    return lines[-1] if lines else "no answer"


known = found = 0
for name in options.names or PROGRAMS:
    files, flags, errors = PROGRAMS[name]
    folder = bench("known", name)
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "report.json")
        result = report(folder, files, flags, out)
        if result is None:
            print(f"{name}: no report")
            continue
        print(f"{name}: {result['summary']}")
        definite = [f for f in result["findings"] if f["verdict"] == "definite"]
        for error, (file, lines) in errors.items():
            hits = [f for f in definite if os.path.basename(f["file"]) == file and f["line"] in lines]
            known, found = known + 1, found + bool(hits)
            print(f"  {'found ' if hits else 'missed'} {error}")
        for f in definite:
            said = replayed(folder, files, flags, out, f["id"]) if options.replay else ""
            print(f"    {os.path.basename(f['file'])}:{f['line']} {f['function']} {f['check']}: {f['message']} {said}")
print(f"{found} of {known} known errors found")
