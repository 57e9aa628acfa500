#!/usr/bin/env python3
"""What a stream in flight costs assay's client, beside libcurl alone and the openai Python client, all in one run.

    tests/bench/stream_cost.py BUILD [--streams 1000,4000] [--rate 2] [--seconds 8] [--rounds 3] [--openai PYTHON]

BUILD is a release build with the benchmarks in it (see README.md). Each client reads the same streams from `assay simulate`,
which runs in a process of its own: STREAMS replies of RATE events a second, started evenly over three seconds. Counted is the
client's processor time while all of them are open. Of ROUNDS rounds, the clients taking turns, each client's cheapest counts: what
else runs on the machine only adds. Without --openai the Python client is left out.
"""
import argparse
import json
import pathlib
import signal
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


class Server:
    def __init__(self, build, rate, tokens, first_token_ms=20):
        self.process = subprocess.Popen(
            [build / "assay", "simulate", "--rate", str(rate), "--think-median", str(tokens), "--think-sigma", "0", "--first-token-ms", str(first_token_ms)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self.url

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=120)


def measured(command, url, streams, seconds):
    done = subprocess.run([*map(str, command), url, str(streams), str(seconds)], capture_output=True, text=True, timeout=600)
    if done.returncode != 0 or not done.stdout:
        raise SystemExit(f"{command[-1]} failed: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def cost(args, command, streams, bytes_an_event):
    """What one client measured, with the microseconds an event and a start of a stream; None where it did not get them all going."""
    tokens = round(args.rate * (args.seconds + 300))  # longer than the slowest client takes to begin
    with Server(args.build, args.rate, tokens) as url:
        result = measured(command, url, streams, args.seconds)
    if "begun" in result:
        return None
    events = result["events"] if result["events"] >= 0 else result["bytes"] / bytes_an_event
    return result | {"events": events, "us": 1e6 * result["processor_s"] / events, "start_us": 1e6 * result["start_processor_s"] / streams}


def costs(args, streams):
    """Client -> the cheapest of its rounds. The first is assay, whose bytes an event serve for the client that counts no events."""
    clients = {"assay": [args.build / "tests/bench/bench_assay_streams"], "libcurl alone": [args.build / "tests/bench/bench_bare_streams"]}
    if args.openai:
        clients["openai (Python)"] = [args.openai, HERE / "openai_streams.py"]
    cheapest, bytes_an_event = {}, None
    for _ in range(args.rounds):
        for name, command in clients.items():
            result = cost(args, command, streams, bytes_an_event)
            if result is None:
                print(f"{streams:>7}  {name:<16} does not get them all going within four minutes", flush=True)
                continue
            if name == "assay":
                bytes_an_event = result["bytes"] / result["events"]
            if name not in cheapest or result["us"] < cheapest[name]["us"]:
                cheapest[name] = result
    return cheapest


def memory_a_stream(args):
    """KiB of resident memory a stream that has begun and is silent, from the difference between two counts."""
    resident = {}
    for streams in (500, 4500):
        with Server(args.build, 0.001, 100) as url:
            resident[streams] = measured([args.build / "tests/bench/bench_assay_streams"], url, streams, 0.5)["resident_kib"]
    return (resident[4500] - resident[500]) / 4000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--streams", default="1000,4000")
    parser.add_argument("--rate", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-memory", action="store_true", help="leave out what a stream holds")
    parser.add_argument("--openai", help="a Python in which the openai package is installed")
    args = parser.parse_args()
    print(f"{'streams':>7}  {'client':<16} {'events/s':>9} {'us/event':>9} {'of assay':>9}   {'us/start':>8}  open at both ends")
    for streams in map(int, args.streams.split(",")):
        results = costs(args, streams)
        for name, one in results.items():
            ratio = one["us"] / results["assay"]["us"]
            print(f"{streams:>7}  {name:<16} {one['events'] / one.get('window_s', args.seconds):>9.0f} {one['us']:>9.1f} {ratio:>8.2f}x   {one['start_us']:>8.0f}  "
                  f"{one['open']}, {one['still_open']}", flush=True)
        bare = results["assay"]["us"] / results["libcurl alone"]["us"]
        print(f"{streams:>7}  assay costs {bare:.2f} times libcurl alone" +
              (f"; the openai client costs {results['openai (Python)']['us'] / results['assay']['us']:.1f} times assay" if "openai (Python)" in results else ""),
              flush=True)
    if not args.no_memory:
        print(f"memory: {memory_a_stream(args):.1f} KiB a stream in flight")


main()
