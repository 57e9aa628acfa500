#!/usr/bin/env python3
"""Thousands of slow replies at once, from `assay score` to `assay simulate` in a process of its own.

    tests/soak/soak.py [--assay build/release/assay] [--side 64] [--seconds 60] [--rate 5] [--keep FOLDER]

SIDE questions by SIDE seeds are all asked at the same time (64: 4,096 replies), each answered with RATE events a second for
SECONDS. Passes (exit code 0) where nothing was lost and nothing came twice:

  * the run ended 0: every attempt was scored
  * the journal is whole: numbered without a gap, one `begin` and one `try` an attempt, no more
  * the server says that it completed as many replies as there are attempts, and refused, cut or lost none
  * each reply's thinking and answer are, byte for byte, what a second server says to the same request without a stream, asked
    here through Python's own HTTP client
  * all replies were in flight together (not looked at with --any-peak)

Delays, latency and cost are printed and judged by nobody.
"""

import argparse
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANSWER_TOKENS = 24
FIRST_TOKEN_MS = 20


class Server:
    """`assay simulate`, until it is stopped; `said` is then its last line, as numbers by name."""

    def __init__(self, assay, think, rate):
        self.process = subprocess.Popen(
            [assay, "simulate", "--rate", str(rate), "--think-median", str(think), "--think-sigma", "0",
             "--answer-tokens", str(ANSWER_TOKENS), "--first-token-ms", str(FIRST_TOKEN_MS)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), "the simulated endpoint did not start"

    def stop(self):
        before = os.times()
        self.process.send_signal(signal.SIGTERM)
        _, self.said_line = self.process.communicate(timeout=60)
        after = os.times()
        self.cpu_s = after.children_user + after.children_system - before.children_user - before.children_system
        return numbers(self.said_line)


def numbers(line):
    """'requests 12  in flight now 0, at most 3' -> {'requests': 12, 'in flight now': 0, 'at most': 3}"""
    words, found = [], {}
    for word in line.replace(",", "").split():
        if word.isdigit():
            found[" ".join(words)] = int(word)
            words = []
        else:
            words.append(word)
    return found


def score_command(args, url, out):
    side = str(args.side)
    return [args.assay, "score", "--base-url", url, "--dataset", "sample", "--limit", side, "--seeds", side, "--concurrency",
            str(args.side ** 2), "--temperature", "0.6", "--top-p", "0.95", "--max-tokens", "65536", "--out", str(out), "--skip-preflight"]


def quantile(values, q):
    values = sorted(values)
    return values[min(len(values) - 1, int(q * len(values)))]


def three(values):
    return f"p50 {quantile(values, 0.5):8.1f}   p99 {quantile(values, 0.99):8.1f}   max {max(values):8.1f}"


class Findings(list):
    def expect(self, holds, words):
        if not holds:
            self.append(words)


def read_journal(folder, findings):
    """(seed, question) -> its try, with all that is wrong with the journal's shape among the findings."""
    begun, tries = {}, {}
    for number, line in enumerate((folder / "journal.jsonl").read_text().splitlines(), start=1):
        record = json.loads(line)
        findings.expect(record["seq"] == number, f"line {number} of the journal has the number {record['seq']}")
        payload = record["payload"]
        key = (payload.get("seed"), payload.get("question"))
        into = {"begin": begun, "try": tries}.get(payload["type"])
        if into is None:
            continue
        findings.expect(key not in into, f"seed {key[0]}, question {key[1]}: a second record of type {payload['type']}")
        into[key] = payload
    findings.expect(begun.keys() == tries.keys(), "not every try that began has ended, or the reverse")
    return tries


def prompts_of(assay, url, folder, limit):
    """The prompts by question number: the template of the first request that --dry-run shows, around each question's text."""
    shown = subprocess.run([assay, "score", "--base-url", url, "--model", "m", "--dataset", "sample", "--limit", str(limit), "--seeds", "1",
                            "--dry-run"], capture_output=True, text=True, check=True).stdout
    first = json.loads(shown.split("first request\n", 1)[1].splitlines()[0])["messages"][-1]["content"]
    problems = {}
    for line in (folder / "questions.jsonl").read_text().splitlines():
        row = json.loads(line)
        if "problem" in row:
            problems[row["number"]] = row["problem"]
    before, after = next(first.split(problem) for problem in problems.values() if problem in first)
    return {number: before + problem + after for number, problem in problems.items()}


def compare_texts(args, think, tries, folder, findings):
    server = Server(args.assay, think, 1e6)
    prompts = prompts_of(args.assay, server.url, folder, args.side)
    url = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    for (seed, question), record in sorted(tries.items()):
        body = json.dumps({"model": "simulated", "seed": seed, "temperature": 0.6, "max_tokens": 65536,
                           "messages": [{"role": "user", "content": prompts[question]}]})
        connection.request("POST", url.path + "/chat/completions", body, {"Content-Type": "application/json"})
        reply = json.loads(connection.getresponse().read())
        message = reply["choices"][0]["message"]
        for field, recorded in (("reasoning_content", "reasoning"), ("content", "content")):
            findings.expect(message[field] and message[field] == record[recorded], f"seed {seed}, question {question}: its {recorded} is not what the server says")
        findings.expect(reply["usage"]["completion_tokens"] == record["usage"]["completion_tokens"], f"seed {seed}, question {question}: another number of tokens")
    connection.close()
    server.stop()


def print_figures(args, tries, folder, wall_s, usage, server, said):
    times = [record["times"] for record in tries.values()]
    tokens = [record["usage"]["completion_tokens"] for record in tries.values()]
    events = sum(record["events"] for record in tries.values())
    print(f"in flight at most {said['at most']:,} of {len(tries):,}; {events:,} events over {wall_s:.1f} s: "
          f"{events / len(tries) / wall_s:.2f} a second and reply")
    print(f"first token, ms later than due   {three([t['first_token_ms'] - t['connected_ms'] - FIRST_TOKEN_MS for t in times])}")
    due = [FIRST_TOKEN_MS + 1e3 * (n - 1) / args.rate for n in tokens]
    print(f"last byte, ms later than due     {three([t['last_byte_ms'] - t['connected_ms'] - d for t, d in zip(times, due)])}")
    print(f"waiting to connect, ms           {three([t['connected_ms'] for t in times])}")
    for work in json.loads((folder / "summary.json").read_text())["effort"].get("work", []):
        print(f"client's loop, ms late           p50 {work['delay_p50_ms']:8.1f}   p99 {work['delay_p99_ms']:8.1f}   max {work['delay_max_ms']:8.1f}")
    cpu = usage.ru_utime + usage.ru_stime
    print(f"client {cpu:.1f} s of processor, {1e6 * cpu / events:.1f} us an event, {100 * cpu / wall_s:.0f} % of a core, "
          f"at most {usage.ru_maxrss / 1024:.0f} MiB; server {server.cpu_s:.1f} s")


def soak(args, folder):
    think = max(1, round(args.rate * args.seconds) - ANSWER_TOKENS - 3)
    attempts = args.side ** 2
    findings = Findings()
    server = Server(args.assay, think, args.rate)
    out = folder / "run"
    start = os.times().elapsed
    process = subprocess.Popen(score_command(args, server.url, out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said_by_client = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = os.times().elapsed - start
    said = server.stop()

    findings.expect(process.returncode == 0, f"assay score ended {process.returncode}: {said_by_client[-500:]}")
    tries = read_journal(out, findings)
    wanted = {(seed, question) for seed in range(args.side) for question in range(args.side)}
    findings.expect(tries.keys() == wanted, f"{len(wanted - tries.keys())} of {attempts} attempts are not on record")
    findings.expect(all(record["outcome"] == "complete" and record["try"] == 1 for record in tries.values()), "not every attempt was complete at its first try")
    asked = said["completed"] + said["refused"] + said["cut"] + said["dropped by clients"]
    findings.expect(asked == said["completed"] == attempts, f"the server was asked {asked} times for {attempts} attempts and completed {said['completed']}: {server.said_line.strip()}")
    findings.expect(args.any_peak or said["at most"] == attempts, f"only {said['at most']} of {attempts} replies were in flight together")
    compare_texts(args, think, tries, out, findings)
    print_figures(args, tries, out, wall_s, usage, server, said)
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default=str(ROOT / "build/release/assay"), help="the program (default: the release build)")
    parser.add_argument("--side", type=int, default=64, help="questions, and seeds; at most 66")
    parser.add_argument("--seconds", type=float, default=60, help="length of each reply")
    parser.add_argument("--rate", type=float, default=5, help="events a second of each reply")
    parser.add_argument("--any-peak", action="store_true", help="do not ask that all were in flight together")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the run, which stays (default: a temporary one)")
    args = parser.parse_args()
    folder = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="assay-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        findings = soak(args, folder)
    finally:
        if not args.keep:
            shutil.rmtree(folder)
    for finding in findings[:20]:
        print("FAILED:", finding)
    print("soak:", "passed: nothing lost, nothing twice" if not findings else f"failed, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
