"""What a cast costs: cast_cost.py ASSAY PYTHON [--gigabytes 4] [--folder /tmp/cast_cost] [--prepare]

Writes a source of Kimi-K3's expert geometry with random elements, then times, each followed by sync: cp -r, assay cast, assay
cast --verify, and cast_with_numpy.py under PYTHON, which needs numpy, ml_dtypes and safetensors. Prints seconds, ratios and
peak resident memory. Rounds alternate; the median counts. --prepare writes the source alone, and a later call takes it.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent


def tensor_shapes(experts, layer):
    base = f"language_model.model.layers.{layer}.block_sparse_moe.experts."
    for expert in range(experts):
        for w, rows, columns in ((1, 3072, 3584), (2, 3584, 3072), (3, 3072, 3584)):
            yield f"{base}{expert}.w{w}.weight_packed", (rows, columns // 2)
            yield f"{base}{expert}.w{w}.weight_scale", (rows, columns // 32)


def write_source(folder, gigabytes):
    """Two shards; scales of three binades, as published ones have."""
    folder.mkdir(parents=True)
    experts = max(1, round(gigabytes * 1e9 / 2 / 17_547_264))
    scales = bytes(120 + (i > 215) - (i < 3) for i in range(256))
    weight_map, total = {}, 0
    for layer in (1, 2):
        name = f"model-{layer:05}-of-000002.safetensors"
        entries, at = {}, 0
        for tensor, shape in sorted(tensor_shapes(experts, layer)):
            size = shape[0] * shape[1]
            entries[tensor] = {"dtype": "U8", "shape": shape, "data_offsets": [at, at + size]}
            weight_map[tensor] = name
            at += size
        total += at
        header = json.dumps(entries, separators=(",", ":")).encode()
        header += b" " * (-len(header) % 8)
        with open(folder / name, "wb") as file:
            file.write(len(header).to_bytes(8, "little") + header)
            for tensor, entry in entries.items():
                data = os.urandom(entry["data_offsets"][1] - entry["data_offsets"][0])
                file.write(data.translate(scales) if tensor.endswith("_scale") else data)
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": total}, "weight_map": weight_map}, indent=2))
    (folder / "config.json").write_text(json.dumps({"model_type": "kimi_k3"}))


def timed(command):
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{command} ended {status}")
    os.sync()
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("python")
    parser.add_argument("--gigabytes", type=float, default=4)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/cast_cost"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--prepare", action="store_true")
    arguments = parser.parse_args()
    source, target = arguments.folder / "source", arguments.folder / "target"
    if arguments.prepare or not source.exists():
        shutil.rmtree(arguments.folder, ignore_errors=True)
        write_source(source, arguments.gigabytes)
        os.sync()
    if arguments.prepare:
        return
    total = sum(file.stat().st_size for file in source.iterdir())
    for file in source.glob("*.safetensors"):  # so that every round finds them in memory, also the first
        subprocess.run(["cat", file], stdout=subprocess.DEVNULL, check=True)
    commands = {
        "cp -r --reflink=never": ["cp", "-r", "--reflink=never", source, target],
        "assay cast": [arguments.assay, "cast", source, target, "--quiet"],
        "assay cast --verify": [arguments.assay, "cast", source, target, "--quiet", "--verify"],
        "NumPy and safetensors": [arguments.python, HERE / "cast_with_numpy.py", source, target],
    }
    seconds, memory = {name: [] for name in commands}, {}
    for _ in range(arguments.rounds):
        for name, command in commands.items():
            took, memory[name] = timed(command)
            seconds[name].append(took)
            shutil.rmtree(target)
            os.sync()
    base = statistics.median(seconds["cp -r --reflink=never"])
    cast = statistics.median(seconds["assay cast"])
    print(f"{total / 1e9:.2f} GB in two shards, median of {arguments.rounds}, each followed by sync")
    for name, all_of_it in seconds.items():
        took = statistics.median(all_of_it)
        print(f"{name:24} {took:7.2f} s   {took / base:5.2f} of cp   {took / cast:5.2f} of the cast   {memory[name]:7.0f} MiB"
              f"   ({', '.join(f'{one:.2f}' for one in all_of_it)})")
    shutil.rmtree(arguments.folder)


main()
