#!/usr/bin/env python3
"""Run `cellog check` on programs of the Cyber Grand Challenge: is what their authors mark definite, and in the fixed build not?

usage: BENCH=DIR cgc.py [--count N] [--seed N] [--limit SECONDS] [--fixed] [--replay] [--log FILE] [NAME...]

A program marks each vulnerable place by `#ifdef PATCHED`: lines that its fixed build leaves out are marked lines, and so is the line before
one where the fixed build only adds some. For each program the script tells its definite findings as

    line      at a marked line, or on the way through one (a call, or a step of the trace)
    function  in a function with marked lines
    other     elsewhere
    fixed     (with --fixed) whether the fixed build has it, too: then it is another error than the marked one

and how many sites are left possible. The programs are of machines with 32 bits (their allocators count on it), so gcc must be able to build for
those where replays are wanted. --log keeps a JSON line a program.
"""
import argparse
import json
import os
import random
import re
import subprocess
import tempfile
import time

from cases import bench, cellog

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cgc")
# A place of the secret page, by its address.
FLAG_PAGE = re.compile(r"0x4347[cC]([0-9a-fA-F]{3})[uUlL]*\b")


def candidates(top):
    """Programs in C alone, of one process, with marked places."""
    for name in sorted(os.listdir(top)):
        folder = os.path.join(top, name)
        if not os.path.isdir(os.path.join(folder, "src")):
            continue
        files = [f for part in ("src", "lib", "include") for f in listing(os.path.join(folder, part))]
        if any(f.endswith((".cc", ".cpp")) for f in files):
            continue
        if any(marked(text(f)) for f in files if f.endswith((".c", ".h"))):
            yield name


def listing(folder):
    return [os.path.join(folder, f) for f in sorted(os.listdir(folder))] if os.path.isdir(folder) else []


def text(path):
    with open(path, errors="replace") as file:
        return file.read()


def marked(content):
    """Numbers of the lines that the fixed build leaves out; of an addition the lines around it."""
    lines, open_ifs = set(), []
    rows = content.splitlines()
    for number, row in enumerate(rows, 1):
        directive = re.match(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)", row)
        if not directive:
            if open_ifs and open_ifs[-1]["patch"] and not open_ifs[-1]["fixed"]:
                lines.add(number)
                open_ifs[-1]["some"] = True
            continue
        word, rest = directive.groups()
        if word in ("ifdef", "ifndef", "if"):
            patch = "PATCHED" in rest
            negated = word == "ifndef" or "!" in rest
            open_ifs.append({"patch": patch, "fixed": patch and not negated, "some": False, "at": number})
        elif word in ("else", "elif") and open_ifs:
            open_ifs[-1]["fixed"] = not open_ifs[-1]["fixed"]
        elif word == "endif" and open_ifs:
            ended = open_ifs.pop()
            if ended["patch"] and not ended["some"]:
                # The fixed build adds lines here: what comes before and after them is what they guard.
                lines.update(n for n in (ended["at"] - 1, number + 1) if 0 < n <= len(rows))
    return lines


def prepared(top, name, work):
    """A copy of the program with the shim in the place of its library: its folder and C files."""
    target = os.path.join(work, name)
    flags = ["-m32", "-DLINUX", "-Derrno=cgc_errno", f"-I{SHIM}"]
    sources = []
    for part in ("lib", "src", "include"):
        for path in listing(os.path.join(top, name, part)):
            if not path.endswith((".c", ".h", ".inc", ".def")):
                continue
            to = os.path.join(target, part, os.path.basename(path))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            with open(to, "w") as file:
                file.write(FLAG_PAGE.sub(r"((unsigned long)cgc_flag_page + 0x\1)", text(path)))
            if path.endswith(".c"):
                sources.append(os.path.join(part, os.path.basename(path)))
        flags.append(f"-I{part}")
    with open(os.path.join(target, "flag_page.h"), "w") as file:
        page = random.Random(1)
        file.write(",".join(str(page.randrange(256)) for _ in range(4096)) + "\n")
    return target, sources + [os.path.join(SHIM, "libcgc.c")], [*flags, "-I."]


def check(folder, files, flags, limit, out):
    """The report; what it said instead if there is none."""
    command = [cellog(), "check", *files, "--no-cache", "--verbose", "--effort", "limit", "--allocation", "succeeds", "--arch", "ilp32",
               "--time-limit", str(limit), "--format", "json", "-o", out, "--", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    try:
        with open(out) as report:
            return json.load(report), [line for line in done.stderr.splitlines() if line.startswith("search:")]
    except (OSError, ValueError):
        return None, done.stderr.strip().splitlines()[-1:]


def places(folder):
    """Marked lines by file name, and the functions around them by name."""
    lines = {}
    for part in ("src", "lib", "include"):
        for path in listing(os.path.join(folder, part)):
            here = marked(text(path))
            if here:
                lines[os.path.join(part, os.path.basename(path))] = here
    return lines


def functions(folder, lines):
    """Names of functions with marked lines: the last line before each that looks like the head of one."""
    names = set()
    for file, numbers in lines.items():
        rows = text(os.path.join(folder, file)).splitlines()
        for number in numbers:
            for row in reversed(rows[:number]):
                head = re.match(r"[A-Za-z_][\w\s\*]*?[\s\*](\w+)\s*\([^;]*$", row)
                if head:
                    names.add(head.group(1))
                    break
    return names


def key(finding):
    return short(finding["file"]), finding["line"], finding["column"], finding["check"]


def short(path):
    return os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path))


def passes(finding, lines):
    """Whether the finding stands at a marked line or its trace comes through one."""
    steps = [(finding["file"], finding["line"])]
    steps += [(s["file"], s["line"]) for s in finding.get("trace", []) if "file" in s and "line" in s]
    return any(line in lines.get(short(file), ()) for file, line in steps)


parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, default=40)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--limit", type=float, default=300)
parser.add_argument("--fixed", action="store_true", help="check the fixed builds, too")
parser.add_argument("--replay", action="store_true")
parser.add_argument("--log", help="file to which a JSON line a program is added")
parser.add_argument("names", nargs="*", metavar="NAME")
options = parser.parse_args()

top = bench("cgc", "challenges")
work = os.path.join(bench("cgc"), "work")
names = options.names or sorted(random.Random(options.seed).sample(list(candidates(top)), options.count))
tally = {"line": 0, "function": 0, "other": 0, "none": 0, "no report": 0}
confirmed, replays = 0, 0
for name in names:
    folder, files, flags = prepared(top, name, work)
    lines = places(folder)
    around = functions(folder, lines)
    started = time.time()
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "report.json")
        report, said = check(folder, files, flags, options.limit, out)
        row = {"name": name, "seconds": round(time.time() - started, 1), "search": said, "findings": []}
        if report is None:
            tally["no report"] += 1
            print(f"{name}: no report: {said}", flush=True)
            continue
        row["summary"] = report["summary"]
        fixed = set()
        if options.fixed:
            patches = ["-DPATCHED"] + [f"-DPATCHED_{i}" for i in range(1, 12)]
            other, _ = check(folder, files, [*flags, *patches], options.limit, os.path.join(scratch, "fixed.json"))
            fixed = {key(f) for f in (other or {"findings": []})["findings"] if f["verdict"] == "definite"}
        best = "none"
        for finding in report["findings"]:
            if finding["verdict"] != "definite":
                continue
            where = "line" if passes(finding, lines) else "function" if finding["function"] in around else "other"
            again = key(finding) in fixed
            if not again or where != "line":
                best = min(best, where, key=["line", "function", "other", "none"].index)
            replay = ""
            if options.replay:
                command = [cellog(), "replay", finding["id"], *files, "--arch", "ilp32", "--report", out, "--", *flags]
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
                replay = (done.stdout.strip().splitlines() or ["no answer"])[-1]
                replays += 1
                confirmed += done.returncode == 0
            row["findings"].append([where, *key(finding), finding["function"], finding["message"], again, replay])
        row["best"] = best
        tally[best] += 1
    print(f"{name}: {best}, {row['seconds']} s, {report['summary']}", flush=True)
    for where, file, line, _, check_name, function, message, again, replay in row["findings"]:
        print(f"    {where}{' (also fixed)' if again else ''} {file}:{line} {function} {check_name}: {message} {replay}", flush=True)
    if options.log:
        with open(options.log, "a") as log:
            log.write(json.dumps(row) + "\n")
print(tally, f"replays {confirmed} of {replays} confirmed" if options.replay else "")
