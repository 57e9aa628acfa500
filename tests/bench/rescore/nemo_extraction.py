#!/usr/bin/env python3
"""nemo_extraction.py CHECKOUT FOLDER [--write-back]

Runs NeMo-Skills' own eval_mcq, imported from a checkout of it, over FOLDER/output-rs*.jsonl, and prints the seconds it took and a digest of
the letters. eval_mcq reads a file, extracts, and writes it back; without --write-back its writing goes nowhere and is not counted.
"""
import argparse
import builtins
import glob
import hashlib
import io
import json
import logging
import re
import sys
import time
import types


def load(checkout):
    # Its package imports every evaluator there is, with packages that multiple choice does not need.
    for name in ("nemo_skills", "nemo_skills.evaluation", "nemo_skills.evaluation.evaluator"):
        package = types.ModuleType(name)
        package.__path__ = [f"{checkout}/{name.replace('.', '/')}"]
        sys.modules[name] = package
    from nemo_skills.evaluation.evaluator import mcq

    logging.disable(logging.INFO)
    mcq.tqdm = lambda items: items
    return mcq


class Nowhere(io.StringIO):
    def write(self, text):
        return len(text)


class LettersOnly:
    """Stands for the json module in mcq.py: reading is its own, a row that is to be written gives its letter instead."""

    def __init__(self, letters):
        self.loads = json.loads
        self.letters = letters

    def dumps(self, row):
        self.letters.append(row["predicted_answer"] or "-")
        return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout")
    parser.add_argument("folder")
    parser.add_argument("--write-back", action="store_true")
    options = parser.parse_args()
    mcq = load(options.checkout)
    letters = []
    if not options.write_back:
        mcq.json = LettersOnly(letters)
        mcq.open = lambda path, mode, **how: Nowhere() if "w" in mode else builtins.open(path, mode, **how)
    files = sorted(glob.glob(f"{options.folder}/output-rs*.jsonl"), key=lambda path: int(re.search(r"rs(\d+)", path)[1]))
    began = time.monotonic()
    for path in files:
        mcq.eval_mcq({"input_file": path})
    took = time.monotonic() - began
    print(f"{took:.2f} {hashlib.sha256(''.join(letters).encode()).hexdigest()}")


main()
