#!/usr/bin/env python3
"""All statistics of a 198 x 16 comparison: assay's exact tests against numpy and scipy with 10,000 resamples.

    tests/bench/statistics_against_numpy.py build/release/tests/bench/bench_compare_statistics

Both sides start from the tables in memory and run in turn in one process tree; the ratio is of medians. numpy and scipy are what
`pip install numpy scipy` gives; the Python side is written in whole-array operations, as somebody who knows numpy would.
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy
from scipy import stats

QUESTIONS, SEEDS, RESAMPLES = 198, 16, 10_000


def tables():
    """Two runs of one model, the second a little worse: question rates from a beta distribution, accuracy 0.93, ICC 0.5."""
    draw = np.random.default_rng(20261130)
    rates = draw.beta(0.93, 0.07, QUESTIONS)
    a = draw.random((QUESTIONS, SEEDS)) < rates[:, None]
    b = draw.random((QUESTIONS, SEEDS)) < (rates * 0.99)[:, None]
    return a, b


def interval_of(table, draw):
    """Percentile and BCa bootstrap over questions, and t over seeds."""
    means = table.mean(axis=1)
    stats.bootstrap((means,), np.mean, n_resamples=RESAMPLES, method="BCa", random_state=draw, vectorized=True)
    seeds = table.mean(axis=0)
    return stats.t.interval(0.95, SEEDS - 1, seeds.mean(), stats.sem(seeds))


def paired(a, b, draw):
    """Bootstrap of the paired difference, and a sign-flip test by drawn signs."""
    d = b.mean(axis=1) - a.mean(axis=1)
    boot = stats.bootstrap((d,), np.mean, n_resamples=RESAMPLES, method="percentile", random_state=draw, vectorized=True)
    flips = stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=RESAMPLES, random_state=draw, vectorized=True)
    return d.mean(), boot.confidence_interval.low, flips.pvalue


def within_questions(a, b, draw):
    """Both permutation tests of 'one system gave both runs': of the total, and of the excess flips."""
    right = a.sum(axis=1) + b.sum(axis=1)
    first = draw.hypergeometric(right, 2 * SEEDS - right, SEEDS, (RESAMPLES, QUESTIONS))
    totals = first.sum(axis=1)
    observed = a.sum(axis=1)
    centre = right.sum() / 2
    p_total = (1 + np.sum(np.abs(totals - centre) >= abs(observed.sum() - centre))) / (1 + RESAMPLES)
    agree = (first * (right - first)).sum(axis=1)
    p_flips = (1 + np.sum(agree <= (observed * (right - observed)).sum())) / (1 + RESAMPLES)
    return p_total, p_flips


def numpy_side(a, b):
    draw = np.random.default_rng(1)
    begin = time.perf_counter()
    interval_of(a, draw)
    interval_of(b, draw)
    difference, _, sign_flip = paired(a, b, draw)
    p_total, p_flips = within_questions(a, b, draw)
    return time.perf_counter() - begin, {"difference": difference, "sign_flip_p": sign_flip, "within_p": p_total, "flips_p": p_flips}


def assay_side(program, files, repeats):
    return json.loads(subprocess.run([program, *files, str(repeats)], check=True, capture_output=True, text=True).stdout)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    a, b = tables()
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, table in (("a", a), ("b", b)):
            files.append(f"{folder}/{name}.txt")
            with open(files[-1], "w") as out:
                out.writelines("".join("1" if x else "0" for x in row) + "\n" for row in table)
        numpy_side(a, b)  # once to warm up
        ours, theirs = [], []
        for _ in range(7):
            seconds, drawn = numpy_side(a, b)
            theirs.append(seconds * 1000)
            exact = assay_side(sys.argv[1], files, 7)
            ours.append(exact["ms"])
    print(f"numpy {np.__version__}, scipy {scipy.__version__}, {RESAMPLES} resamples, {QUESTIONS} x {SEEDS}")
    for name in ("difference", "sign_flip_p", "within_p", "flips_p"):
        print(f"  {name:12} numpy {drawn[name]:.4f}   assay {exact[name]:.4f} (exact)")
    them, us = statistics.median(theirs), statistics.median(ours)
    print(f"numpy and scipy  {them:8.1f} ms\nassay            {us:8.2f} ms\nratio            {them / us:8.1f}")


if __name__ == "__main__":
    main()
