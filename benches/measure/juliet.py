"""The cases of Juliet 1.3 for C that are measured: 12 CWEs, 13,448 cases.

Left out, as in the evaluation of the memory paper: wchar_t cases (but for CWE 190, 191, 369, where the type is not the
subject), CWE122's __sizeof_ and CWE476's null_check_after_deref cases, and what needs Windows.
"""
import os
import random
import re

from cases import bench

CWES = [121, 122, 124, 126, 127, 190, 191, 369, 415, 416, 469, 476]
FILE = re.compile(r"(CWE\d+_.*_\d\d)[a-e]?\.c")


def measured(cwe, case):
    if "w32" in case.lower():
        return False
    if "wchar_t" in case:
        return cwe in (190, 191, 369)
    if cwe == 122:
        return "__sizeof_" not in case
    if cwe == 476:
        return "null_check_after_deref" not in case
    return True


def cases(cwes=CWES):
    """(cwe, case, absolute paths of its C files), sorted."""
    top = bench("juliet", "testcases")
    for cwe in cwes:
        found = {}
        folder = next(f for f in os.listdir(top) if f.startswith(f"CWE{cwe}_"))
        for where, _, files in os.walk(os.path.join(top, folder)):
            for file in files:
                name = FILE.fullmatch(file)
                if name and measured(cwe, name[1]):
                    found.setdefault(name[1], []).append(os.path.join(where, file))
        for case in sorted(found):
            yield cwe, case, sorted(found[case])


def flags(variant):
    """Preprocessor flags for the `bad` or the `good` functions of a case, or for the `whole` of it."""
    return ["-I" + bench("juliet", "testcasesupport"), *{"bad": ["-DOMITGOOD"], "good": ["-DOMITBAD"], "whole": []}[variant]]


def support():
    """The C file that every case links against."""
    return bench("juliet", "testcasesupport", "io.c")


def checks(cwe):
    """Options for the checks that a CWE is about, beside those that are on."""
    return ["--checks", "default,unsigned-overflow,conversion"] if cwe in (190, 191) else []


def definite(findings):
    """The definite ones; the suite's RAND macros wrap on purpose."""
    return [f for f in findings if f["verdict"] == "definite" and "RAND" not in f["message"]]


def draw(number, seed, cwes, measure):
    """Calls `measure(cwe, case, files)` for cases drawn by lot, until it was true for so many of each CWE as its share of `number` asks for."""
    chance = random.Random(seed)
    for place, cwe in enumerate(cwes):
        wanted = number // len(cwes) + (place < number % len(cwes))
        rows = list(cases([cwe]))
        chance.shuffle(rows)
        for _, case, files in rows:
            if wanted == 0:
                break
            wanted -= bool(measure(cwe, case, files))
