"""assay against a real server with real weights, over real HTTP: a preflight and a short score.

real_server_test.py ASSAY VENV FOLDER: FOLDER/serve.py starts the server and prints its base URL. FOLDER/preflight.txt holds the
lines of the preflight that are the same each time, as golden text; the other checks depend on the weights and the machine and may
come to any verdict.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ASSAY, VENV, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SCORED = {"complete", "truncated", "answer_in_reasoning", "empty", "filtered"}
OUTCOMES = SCORED | {"aborted", "dropped", "server_error", "malformed", "timeout", "refused"}
NEEDED = {"reachable", "context", "budget-field", "stream-end", "usage", "sum"}  # a run needs to know these
QUESTIONS, SEEDS, BUDGET = 2, 2, 24


def assay(command, url, *flags):
    return subprocess.run([ASSAY, command, "--base-url", url, "--dataset", "sample", "--limit", str(QUESTIONS), *flags],
                          capture_output=True, text=True, timeout=1500)


def score(url, out, *flags):
    return assay("score", url, "--seeds", str(SEEDS), "--greedy-seed", "0", "--temperature", "0.6", "--top-p", "0.95",
                 "--max-tokens", str(BUDGET), "--concurrency", "2", "--out", str(out), "--format", "json", *flags)


def tries(out):
    for line in (out / "journal.jsonl").read_text().splitlines():
        payload = json.loads(line)["payload"]
        if payload["type"] == "try":
            yield payload


def check_preflight(url):
    # A small server on processors that others use too may take minutes for what it does in seconds by itself.
    flags = ("--max-tokens", "64", "--probe-timeout", "400")
    shown = assay("preflight", url, *flags)
    print(shown.stdout)
    lines = [line.replace(str(VENV), "VENV") for line in shown.stdout.splitlines()]
    for wanted in (FOLDER / "preflight.txt").read_text().splitlines():
        assert wanted in lines, f"not in the preflight: {wanted}"
    # The text and the exit code of one preflight say the same.
    verdicts = {line.split()[0]: line[21:].split("  ")[0].strip() for line in lines if line[21:].startswith(("verified", "refuted", "could not tell"))}
    assert len(verdicts) == 11, verdicts
    untold = {check for check, verdict in verdicts.items() if verdict.startswith("could not tell")} & NEEDED
    expected = 1 if "refuted" in verdicts.values() else 3 if untold else 0
    assert shown.returncode == expected, (shown.returncode, expected, verdicts)


def check_score(url, folder):
    out = folder / "run"
    done = score(url, out)
    assert done.returncode == 0, (done.returncode, done.stderr)
    report = json.loads(done.stdout)
    counts = report["counts"]
    print(json.dumps(counts))
    assert counts["attempts"] == counts["scored"] == QUESTIONS * SEEDS, counts
    assert counts["tokens_known"] == QUESTIONS * SEEDS, "the server sends usage; every reply's tokens must be known"

    recorded = list(tries(out))
    assert len(recorded) == QUESTIONS * SEEDS
    for record in recorded:
        assert record["outcome"] in SCORED, record
        assert record["http_status"] == 200 and record["done_marker"], record
        assert (record["finish_reason"] == "length") == (record["outcome"] == "truncated"), record
        assert 0 < record["usage"]["completion_tokens"] <= BUDGET, record
    assert report["plan"]["model"].endswith(".gguf"), report["plan"]

    again = score(url, out)
    assert again.returncode == 0 and len(list(tries(out))) == QUESTIONS * SEEDS, "a finished run must ask nothing"


def check_refusal(url, folder):
    refused = score(url, folder / "refused", "--extra-body", '{"messages": 7}')
    assert refused.returncode == 2, (refused.returncode, refused.stdout, refused.stderr)
    outcomes = {record["outcome"] for record in tries(folder / "refused")}
    assert outcomes <= OUTCOMES - SCORED, outcomes
    print("refused:", refused.stderr.strip())


def main():
    server = subprocess.Popen([VENV / "bin/python", FOLDER / "serve.py", VENV], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = server.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), f"the server did not start: {url!r}"
        with tempfile.TemporaryDirectory() as folder:
            check_score(url, pathlib.Path(folder))
            check_refusal(url, pathlib.Path(folder))
        check_preflight(url)
    finally:
        server.terminate()
        server.wait(timeout=30)


main()
