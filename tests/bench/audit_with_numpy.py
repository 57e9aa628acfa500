"""What `assay audit --source` does, as one would write it with NumPy: reads a pair made by audit_pair.py, decodes both
sides of each weight to float32 and compares the values. Prints how many blocks of 32 are equal.

    python3 tests/bench/audit_with_numpy.py FOLDER [SHARDS]
"""
import json
import os
import sys

import numpy as np

E2M1 = np.array([0, .5, 1, 1.5, 2, 3, 4, 6, -0., -.5, -1, -1.5, -2, -3, -4, -6], np.float32)
codes = np.arange(256)
E8M0 = np.where(codes == 255, np.nan, np.exp2(codes - 127.0)).astype(np.float32)
exponent, mantissa = codes >> 3 & 15, codes & 7
E4M3 = np.where(exponent == 0, mantissa * 2.0 ** -9, (8 + mantissa) * np.exp2(exponent - 10.0))
E4M3 = np.where(codes & 127 == 127, np.nan, np.where(codes & 128, -E4M3, E4M3)).astype(np.float32)
PAIRS = np.stack([E2M1[codes & 15], E2M1[codes >> 4]], axis=1)  # both values of a packed byte

ROWS = 1024  # decoded at once: temporaries stay small


def tensors(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
    data = np.memmap(path, np.uint8, "r", 8 + size)
    return {name.rpartition(".")[2]: (data[slice(*entry["data_offsets"])], entry["shape"]) for name, entry in header.items()}


def decoded(packed, scales, table, multiplier, width):
    values = PAIRS[packed].reshape(len(packed), -1, width)
    return values * (table[scales] * multiplier)[:, :, None]


def compare(source, target):
    equal = blocks = 0
    a, b = tensors(source), tensors(target)
    shape = a["weight_packed"][1]
    global_scale = b["weight_scale_2"][0].view(np.float32)[0]
    rows_of = lambda tensor: tensor[0].reshape(tensor[1])
    for row in range(0, shape[0], ROWS):
        part = slice(row, row + ROWS)
        x = decoded(rows_of(a["weight_packed"])[part], rows_of(a["weight_scale"])[part], E8M0, np.float32(1), 32)
        y = decoded(rows_of(b["weight"])[part], rows_of(b["weight_scale"])[part], E4M3, global_scale, 16)
        same = (x == y.reshape(x.shape)).all(axis=2)
        equal += int(same.sum())
        blocks += same.size
    return equal, blocks


folder = sys.argv[1]
shards = sorted(os.listdir(f"{folder}/source"))[: int(sys.argv[2]) if len(sys.argv) > 2 else None]
found = [compare(f"{folder}/source/{shard}", f"{folder}/target/{shard}") for shard in shards]
print(f"{sum(e for e, _ in found):,} of {sum(b for _, b in found):,} blocks equal")
