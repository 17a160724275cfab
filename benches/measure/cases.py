"""What the measuring scripts share: where suites and the analyzer are, and how a list of cases is handed over.

BENCH is the folder with the suites (README.md says how each gets there); CELLOG the binary to measure,
target/release/cellog if not set.
"""
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def bench(*parts):
    """A path in the folder of suites; ends the script with a message where it is not there."""
    if "BENCH" not in os.environ:
        sys.exit("BENCH is not set: it names the folder with the suites (benches/measure/README.md)")
    path = os.path.join(os.environ["BENCH"], *parts)
    if not os.path.exists(path):
        sys.exit(f"{path} does not exist: benches/measure/README.md says how to make it")
    return path


def cellog():
    """The binary to measure."""
    path = os.environ.get("CELLOG", os.path.join(TOP, "target", "release", "cellog"))
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is not there: cargo build --release, or set CELLOG")
    return path


BATCH = 500


def lower(cases, jobs):
    """Lowers cases (name, files, preprocessor flags) and yields (name, lowered, functions, gaps) as batches end.

    Hands lists to `cellog measure lower`; instead of files a folder with a compile_commands.json will do. When a batch's process dies,
    its cases run one by one; the one that kills yields (name, 0, 0, ["no answer: ..."]).
    """
    cases = list(cases)
    for first in range(0, len(cases), BATCH):
        batch = cases[first:first + BATCH]
        rows, why = lower_batch(batch, jobs)
        if len(rows) == len(batch):
            yield from rows
            continue
        for case in batch:
            rows, why = lower_batch([case], 1) if len(batch) > 1 else (rows, why)
            yield from rows or [(case[0], 0, 0, [f"no answer: {why}"])]


def lower_batch(batch, jobs):
    """The rows of one process, and the last thing it said on standard error."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as listing:
        for name, files, flags in batch:
            listing.write(f"{name}\t{' '.join(files)}\t{' '.join(flags)}\n")
        listing.flush()
        run = subprocess.run([cellog(), "measure", "lower", "--jobs", str(jobs), listing.name],
                             capture_output=True, text=True, errors="replace")
    rows = []
    for line in run.stdout.splitlines():
        name, lowered, functions, gaps = line.split("\t")
        rows.append((name, int(lowered), int(functions), [gap for gap in gaps.split(";") if gap]))
    said = (run.stderr.strip().splitlines() or [""])[-1]
    panic = next((line for line in run.stderr.splitlines() if "panicked at" in line), said)
    return rows, f"status {run.returncode}, {panic}"
