"""A cast of Kimi-K3's published geometry, rehearsed: cast_rehearsal.py ASSAY WRITE_KIMI_K3 PUBLISHED [--shards 2] [--experts 20]

PUBLISHED holds config.json, shard_sizes.txt and w1_first64rows.safetensors of the publication; WRITE_KIMI_K3 writes the 96
shards with exact headers and holes for data, and EXPERTS experts of real blocks into the shard of layer 1.

1. the plan of the whole, with and without input scales: counts as published;
2. so many shards of full size, cast, verified and audited; the time of the whole follows from their bytes;
3. the last phase (index, configuration, audit of names and scalars, record) over all 744,516 tensors: a cast that finds all 96
   shards finished. They have the right headers and global scales here and holes otherwise; that they were verified and which
   digests they have is pretended in their records.

Each line has seconds and peak memory.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time

TENSORS, TOTAL = 744_516, 1_645_946_964_992
TENSORS_W4A4, MORE_W4A4 = 991_812, 989_184


def run(name, command):
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - start
    code = os.waitstatus_to_exitcode(status)
    print(f"{name:58} {took:7.1f} s  {usage.ru_maxrss / 1024:5.0f} MiB", flush=True)
    if code != 0:
        sys.exit(f"{command} ended {code}\n{out}")
    return out, took


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found:,} where {wanted:,} was expected")
    print(f"    {what} {found:,}, as it should be")


def header_of(path):
    with open(path, "rb") as file:
        text = file.read(int.from_bytes(file.read(8), "little"))
    return text, json.loads(text)


def some_shards(geometry, folder, shards):
    """A checkpoint of the first MoE layers, by links to their files."""
    folder.mkdir()
    names = [f"model-{number:05}-of-000096.safetensors" for number in range(2, 2 + shards)]
    weight_map, total = {}, 0
    for name in names:
        os.link(geometry / name, folder / name)
        for tensor, entry in header_of(folder / name)[1].items():
            weight_map[tensor] = name
            total += entry["data_offsets"][1] - entry["data_offsets"][0]
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": total}, "weight_map": weight_map}))
    shutil.copy(geometry / "config.json", folder)
    return sum((folder / name).stat().st_size for name in names)


def write_pretended(source, target):
    """A shard of the cast with its header, global scales of 2^-14, and holes; gives the source's header."""
    text, header = header_of(source)
    made = {}
    for name, entry in header.items():
        shape = entry["shape"]
        if name.endswith(".weight_packed"):
            base = name.removesuffix("_packed")
            made[base] = ("U8", shape)
            made[base + "_scale"] = ("F8_E4M3", [shape[0], shape[1] // 8])
            made[base + "_scale_2"] = ("F32", [])
        elif name.removesuffix("_scale") + "_packed" not in header:
            made[name] = (entry["dtype"], shape)
    width = {"F32": 4, "BF16": 2, "F8_E4M3": 1, "U8": 1}
    entries, at = {}, 0
    for name, (dtype, shape) in sorted(made.items(), key=lambda one: (list(width).index(one[1][0]), one[0])):
        size = math.prod(shape) * width[dtype]
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    made_text = json.dumps(entries, separators=(",", ":")).encode()
    made_text += b" " * (-len(made_text) % 8)
    with open(target, "wb") as file:
        file.write(len(made_text).to_bytes(8, "little") + made_text)
        for name, entry in entries.items():
            if name.endswith(".weight_scale_2"):
                file.seek(8 + len(made_text) + entry["data_offsets"][0])
                file.write(struct.pack("<f", 2.0**-14))
        file.truncate(8 + len(made_text) + at)
    return text, header, entries


def record_of(source, target, text, header, entries):
    """What the cast keeps of a finished shard."""
    packed = [name for name in header if name.endswith(".weight_packed")]
    blocks = sum(math.prod(header[name]["shape"]) // 16 for name in packed)
    plain = len(header) - 2 * len(packed)
    source_file, target_file = ({"bytes": path.stat().st_size, "modified_ns": path.stat().st_mtime_ns}
                                for path in (source, target))
    return {"file": source.name, "source": source_file, "target": target_file,
            "verified": {"blocks": blocks, "blocks_exact": blocks, "payload_equal": blocks, "max_abs_err": 0.0,
                         "weights": len(packed), "tensors": plain, "tensors_identical": plain},
            "counts": {"weights": len(packed), "blocks": blocks, "zeros": 0, "rescued": 0, "rounded": 0, "nan": 0,
                       "exponents": {"-14": len(packed)} if packed else {}},
            "weights": [], "zeros": [], "changed": [], "source_header": text.decode(),
            "source_digests": "".join(f"{i:032x}" for i in range(len(header))),
            "target_digests": "".join(f"{i:032x}" for i in range(len(entries)))}


def finish_all_shards(assay, geometry, target):
    """The folder of a cast that was stopped when all shards were finished."""
    process = subprocess.Popen([assay, "cast", geometry, target, "--quiet"], stdout=subprocess.DEVNULL)
    while not (target / ".assay-cast/plan.json").exists() and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.wait()
    for shard in sorted(geometry.glob("*.safetensors")):
        made = target / shard.name
        record = record_of(shard, made, *write_pretended(shard, made))
        (target / ".assay-cast" / f"{shard.name}.json").write_text(json.dumps(record))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay", type=pathlib.Path)
    parser.add_argument("write_kimi_k3", type=pathlib.Path)
    parser.add_argument("published", type=pathlib.Path)
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--experts", type=int, default=20)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/cast_rehearsal"))
    arguments = parser.parse_args()
    assay, folder = arguments.assay.resolve(), arguments.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    geometry = folder / "source"
    subprocess.run([arguments.write_kimi_k3, geometry, arguments.published / "config.json",
                    arguments.published / "w1_first64rows.safetensors", str(arguments.experts)], check=True)
    whole = sum(path.stat().st_size for path in geometry.glob("*.safetensors"))
    print(f"96 shards, {whole:,} bytes, {arguments.experts} experts of real blocks, holes otherwise")

    out, _ = run("plan of the whole", [assay, "cast", geometry, folder / "a", "--dry-run", "--format", "json"])
    plan = json.loads(out)
    expect("tensors", plan["tensors"], TENSORS)
    expect("total_size", plan["total_size"], TOTAL)
    out, _ = run("the same with input scales",
                 [assay, "cast", geometry, folder / "a", "--dry-run", "--format", "json", "--activations", "w4a4"])
    scaled = json.loads(out)
    expect("tensors", scaled["tensors"], TENSORS_W4A4)
    expect("more bytes", scaled["total_size"] - plan["total_size"], MORE_W4A4)

    part, target = folder / "part", folder / "part-cast"
    bytes_of_part = some_shards(geometry, part, arguments.shards)
    _, cast = run(f"cast of {arguments.shards} of 96 shards, {bytes_of_part / 1e9:.1f} GB", [assay, "cast", part, target, "--quiet"])
    print(f"    {cast * whole / bytes_of_part / 3600:.2f} hours for the whole at this rate")
    on_disk = sum(path.stat().st_blocks * 512 for path in target.iterdir())
    print(f"    {on_disk / 1e9:.1f} GB on disk of {sum(path.stat().st_size for path in target.iterdir()) / 1e9:.1f} GB")
    shutil.rmtree(target)
    out, verified = run("the same with --verify", [assay, "cast", part, target, "--quiet", "--verify"])
    print(f"    {verified * whole / bytes_of_part / 3600:.2f} hours for the whole at this rate")
    out, _ = run("audit of it against its source", [assay, "audit", target, "--source", part, "--quiet", "--strict-bytes"])
    print("    " + "\n    ".join(out.rstrip().splitlines()[-2:]))
    shutil.rmtree(target)

    target = folder / "last-phase"
    finish_all_shards(assay, geometry, target)
    out, _ = run("the last phase over all shards", [assay, "cast", geometry, target, "--quiet", "--verify"])
    print("    " + "\n    ".join(out.rstrip().splitlines()[-2:]))
    if "96 shards of an earlier start kept" not in out:
        sys.exit(out)
    index = json.loads((target / "model.safetensors.index.json").read_text())
    expect("tensors in the index", len(index["weight_map"]), TENSORS)
    expect("its total_size", index["metadata"]["total_size"], TOTAL)
    for name in ("model.safetensors.index.json", "assay-cast.json"):
        print(f"    {name} {(target / name).stat().st_size / 1e6:.0f} MB")
    shutil.rmtree(folder)


main()
