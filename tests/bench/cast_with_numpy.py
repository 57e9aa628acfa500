"""The same cast, as one would write it with NumPy and safetensors: cast_with_numpy.py SOURCE DEST.

Weights of the layout of Kimi-K3 only, whole shards in memory, no block out of range, no check and no record.
"""

import collections
import json
import pathlib
import shutil
import sys

import ml_dtypes
import numpy as np
import safetensors
from safetensors import safe_open

source, target = map(pathlib.Path, sys.argv[1:])
target.mkdir()
weight_map, total = {}, 0
for shard in sorted(source.glob("*.safetensors")):
    with safe_open(shard, framework="np") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    largest = collections.defaultdict(int)
    for name, tensor in tensors.items():
        if name.endswith(".weight_scale"):
            group = name.replace(".w3.", ".w1.")
            largest[group] = max(largest[group], int(tensor.max()) - 127)
    made = {}
    for name, tensor in tensors.items():
        if name.endswith(".weight_packed"):
            made[name.removesuffix("_packed")] = ("uint8", tensor)
        elif name.endswith(".weight_scale"):
            exponent = largest[name.replace(".w3.", ".w1.")] - 8
            scales = np.exp2(tensor.astype(np.float32) - 127 - exponent).astype(ml_dtypes.float8_e4m3fn)
            made[name] = ("float8_e4m3fn", np.repeat(scales, 2, axis=-1))
            made[name + "_2"] = ("float32", np.array(2.0**exponent, np.float32))
        else:
            made[name] = (str(tensor.dtype), tensor)
    made = {name: (dtype, np.ascontiguousarray(array)) for name, (dtype, array) in made.items()}
    specs = {name: safetensors.TensorSpec(dtype=dtype, shape=array.shape, data_ptr=array.ctypes.data,
                                          data_len=array.nbytes) for name, (dtype, array) in made.items()}
    safetensors.serialize_file(specs, target / shard.name)
    weight_map |= dict.fromkeys(made, shard.name)
    total += sum(array.nbytes for _, array in made.values())
(target / "model.safetensors.index.json").write_text(
    json.dumps({"metadata": {"total_size": total}, "weight_map": weight_map}, indent=2))
shutil.copy(source / "config.json", target)
