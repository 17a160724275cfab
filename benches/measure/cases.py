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


def lower(cases, jobs):
    """Lowers cases (name, files, preprocessor flags) and yields (name, lowered, functions, gaps) as they come.

    Hands the list to `cellog measure lower`, split over `jobs` processes. A case without an answer, because its process
    died, yields (name, 0, 0, ["no answer: ..."]).
    """
    cases = list(cases)
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for job in range(jobs):
            mine = cases[job::jobs]
            listing = os.path.join(folder, f"{job}.tsv")
            with open(listing, "w") as out:
                for name, files, flags in mine:
                    out.write(f"{name}\t{' '.join(files)}\t{' '.join(flags)}\n")
            errors = open(os.path.join(folder, f"{job}.err"), "w+")
            process = subprocess.Popen([cellog(), "measure", "lower", listing],
                                       stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace")
            running.append((process, errors, {name for name, _, _ in mine}))
        for process, errors, waiting in running:
            for line in process.stdout:
                fields = line.rstrip("\n").split("\t")
                if len(fields) < 2 or "/" not in fields[1]:
                    continue
                lowered, functions = map(int, fields[1].split("/"))
                waiting.discard(fields[0])
                yield fields[0], lowered, functions, [gap for gap in fields[2:] if gap]
            status = process.wait()
            errors.seek(0)
            last = (errors.read().strip().splitlines() or [""])[-1]
            for name in sorted(waiting):
                yield name, 0, 0, [f"no answer: status {status} {last}"]
