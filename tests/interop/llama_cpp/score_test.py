"""assay score over real HTTP to a real llama.cpp server: a few questions by 2 seeds, every outcome one of assay's."""
import json
import pathlib
import subprocess
import sys
import tempfile

ASSAY, VENV = sys.argv[1], pathlib.Path(sys.argv[2])
HERE = pathlib.Path(__file__).parent
SCORED = {"complete", "truncated", "answer_in_reasoning", "empty", "filtered"}
OUTCOMES = SCORED | {"aborted", "dropped", "server_error", "malformed", "timeout", "refused"}
QUESTIONS, SEEDS, BUDGET = 2, 2, 24


def score(url, out, *flags):
    command = [ASSAY, "score", "--base-url", url, "--dataset", "sample", "--limit", str(QUESTIONS), "--seeds", str(SEEDS),
               "--greedy-seed", "0", "--temperature", "0.6", "--top-p", "0.95", "--max-tokens", str(BUDGET),
               "--concurrency", "2", "--out", str(out), "--format", "json", *flags]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def tries(out):
    for line in (out / "journal.jsonl").read_text().splitlines():
        payload = json.loads(line)["payload"]
        if payload["type"] == "try":
            yield payload


def check(url, folder):
    out = folder / "run"
    done = score(url, out)
    assert done.returncode == 0, (done.returncode, done.stderr)
    report = json.loads(done.stdout)
    counts = report["counts"]
    print(json.dumps(counts))
    assert counts["attempts"] == counts["scored"] == QUESTIONS * SEEDS, counts
    assert counts["tokens_known"] == QUESTIONS * SEEDS, "llama.cpp sends usage; every reply's tokens must be known"

    recorded = list(tries(out))
    assert len(recorded) == QUESTIONS * SEEDS
    for record in recorded:
        assert record["outcome"] in SCORED, record
        assert record["http_status"] == 200 and record["done_marker"], record
        assert (record["finish_reason"] == "length") == (record["outcome"] == "truncated"), record
        assert 0 < record["usage"]["completion_tokens"] <= BUDGET, record
    assert report["plan"]["model"].endswith("gemma-3-270m-q4_k_m.gguf"), report["plan"]

    again = score(url, out)
    assert again.returncode == 0 and len(list(tries(out))) == QUESTIONS * SEEDS, "a finished run must ask nothing"

    refused = score(url, folder / "refused", "--extra-body", '{"messages": 7}')
    assert refused.returncode == 2, (refused.returncode, refused.stdout, refused.stderr)
    outcomes = {record["outcome"] for record in tries(folder / "refused")}
    assert outcomes <= OUTCOMES - SCORED, outcomes
    print("refused:", refused.stderr.strip())


def main():
    server = subprocess.Popen([VENV / "bin/python", HERE / "serve.py", VENV], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = server.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), f"llama.cpp's server did not start: {url!r}"
        with tempfile.TemporaryDirectory() as folder:
            check(url, pathlib.Path(folder))
    finally:
        server.terminate()
        server.wait(timeout=30)


main()
