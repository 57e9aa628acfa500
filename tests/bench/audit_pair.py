"""Writes a pair of checkpoints to measure `assay audit --source` on: FOLDER/source (MXFP4) and FOLDER/target (its
closed-form NVFP4 cast), GIB gibibytes of packed weights a side.

    python3 tests/bench/audit_pair.py FOLDER GIB
"""
import json
import os
import struct
import sys

ROWS, COLUMNS = 16384, 16384  # 128 MiB packed
folder, gib = sys.argv[1], float(sys.argv[2])
count = round(gib * 8)
packed = ROWS * COLUMNS // 2
scales = ROWS * COLUMNS // 32
# Exponents 119..122, of which 122 - 8 is the global scale's: E4M3 codes 2^5 .. 2^8.
to_e8m0 = bytes(119 + i % 4 for i in range(256))
to_e4m3 = bytes((5 + i % 4 + 7) << 3 for i in range(256))


def write(name, tensors):
    header, at = {}, 0
    for tensor, dtype, shape, pieces in tensors:
        header[tensor] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + sum(map(len, pieces))]}
        at += sum(map(len, pieces))
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, _, pieces in tensors:
            for piece in pieces:
                file.write(piece)


weight = [os.urandom(packed)]  # the same for all: time does not depend on what they hold
random = os.urandom(scales)
for i in range(count):
    pairs = bytearray(2 * scales)
    pairs[0::2] = pairs[1::2] = random.translate(to_e4m3)
    base = f"model.layers.{i}.mlp.up_proj"
    file = f"model-{i + 1:05}-of-{count:05}.safetensors"
    write(f"{folder}/source/{file}", [(base + ".weight_packed", "U8", [ROWS, COLUMNS // 2], weight),
                                      (base + ".weight_scale", "U8", [ROWS, COLUMNS // 32], [random.translate(to_e8m0)])])
    write(f"{folder}/target/{file}", [(base + ".weight_scale_2", "F32", [], [struct.pack("<f", 2.0 ** (122 - 127 - 8))]),
                                      (base + ".weight", "U8", [ROWS, COLUMNS // 2], weight),
                                      (base + ".weight_scale", "F8_E4M3", [ROWS, COLUMNS // 16], [bytes(pairs)])])
