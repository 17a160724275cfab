#!/usr/bin/env python3
"""SARIF logs of real programs against the official schema.

usage: BENCH=DIR sarif_valid.py [PROGRAM ...]    (default: bchunk jhead zlib)

Needs Python's jsonschema package, unlike the other scripts.
"""
import json
import os
import pathlib
import subprocess
import sys

import jsonschema

from cases import cellog

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
schema = json.loads((REPOSITORY / "tests/cli/sarif/sarif-schema-2.1.0.json").read_text().replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$"))
validator = jsonschema.validators.validator_for(schema)(schema)
fine = True
for name in sys.argv[1:] or ["bchunk", "jhead", "zlib"]:
    folder = pathlib.Path(os.environ["BENCH"]) / "debian" / name
    entry = ["--entry", "all"] if name in ("zlib", "lz4") else []
    command = [cellog(), "check", "-p", ".", "--format", "sarif", "--verbose", *entry]
    log = json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout)
    errors = list(validator.iter_errors(log))
    print(f"{name:10} {len(log['runs'][0]['results']):6} results, {len(errors)} errors", flush=True)
    for error in errors[:5]:
        print("   ", "/".join(map(str, error.absolute_path)), error.message[:200])
    fine &= not errors
sys.exit(not fine)
