#!/usr/bin/env python3
"""make_results.py FOLDER --bytes N --reply N [--seeds N] [--random-seed N]

Writes FOLDER/output-rs<seed>.jsonl in NeMo-Skills' fields, so that all replies together are about `bytes` long and each about `reply`.
Replies are made-up prose with formulas; nine in ten end in one of the forms that models use for their answer, some hold an earlier one.
The same arguments give the same bytes.
"""
import argparse
import json
import os
import random

WORDS = ("the rate of a reaction depends on temperature and so we consider energy levels of the system where field strength grows with "
         "distance however Each Option must be checked against data I think A closer look at B shows that mass is conserved").split()
FORMULAS = (r"$\Delta E = \hbar\omega$", r"\frac{A}{B}", "E = mc^2", "ΔG < 0", "T: 300 K", r"$\vec{B}$", "(B) is not it", "pH 7")
ENDINGS = ("Answer: {}", "**Answer:** {}", "Answer: **{}**", "\\boxed{{{}}}", "The final answer is $\\boxed{{{}}}$", "The answer is ({}).",
           "Answer: {} ", "I would go with {}.", "ANSWER: {}", "")


def paragraph(choose):
    words = [choose.choice(WORDS) for _ in range(60)]
    words.insert(choose.randrange(60), choose.choice(FORMULAS))
    return " ".join(words) + ".\n\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--reply", type=int, required=True)
    parser.add_argument("--seeds", type=int, default=16)
    parser.add_argument("--random-seed", type=int, default=1)
    options = parser.parse_args()

    choose = random.Random(options.random_seed)
    paragraphs = [paragraph(choose) for _ in range(2000)]
    length = sum(map(len, paragraphs)) / len(paragraphs)
    in_reply = max(1, round(options.reply / length))
    questions = max(1, round(options.bytes / options.seeds / (in_reply * length)))
    os.makedirs(options.folder, exist_ok=True)
    for seed in range(options.seeds):
        with open(f"{options.folder}/output-rs{seed}.jsonl", "w", encoding="utf-8") as file:
            for question in range(questions):
                text = "".join(choose.choices(paragraphs, k=in_reply))
                if choose.random() < 0.1:
                    middle = len(text) // 2
                    text = text[:middle] + "\nAnswer: " + choose.choice("ABCD") + "\nWait.\n" + text[middle:]
                text += choose.choice(ENDINGS).format(choose.choice("ABCD"))
                row = {"num_generated_tokens": len(text) // 4, "finish_reason": "stop", "generation_start_time": 1.5, "generation_end_time": 2.5,
                       "generation_time": 1.0, "generation": text, "expected_answer": "ABCD"[question % 4], "subset_for_metrics": "Optics",
                       "problem": f"question {question}\n\nA) one\nB) two\nC) three\nD) four", "A": "one", "B": "two", "C": "three", "D": "four"}
                file.write(json.dumps(row) + "\n")


main()
