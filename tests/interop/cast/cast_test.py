"""What `assay cast` makes, decoded by safetensors and ml_dtypes, against the values of its source."""

import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import ml_dtypes
import numpy as np
import safetensors

PROGRAM = sys.argv.pop(1)

FORMATS = {"U8": np.uint8, "I8": np.int8, "BF16": ml_dtypes.bfloat16, "F32": np.float32,
           "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E8M0": ml_dtypes.float8_e8m0fnu}
NAMES = {"U8": "uint8", "I8": "int8", "BF16": "bfloat16", "F32": "float32", "F8_E8M0": "float8_e8m0fnu"}


def assay(*args, code=0):
    run = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True)
    assert run.returncode == code, (args, run.returncode, run.stdout, run.stderr)
    return run.stdout


def read(folder):
    """All tensors of a folder as the reference reader gives them, name to array."""
    return {name: np.frombuffer(bytes(info["data"]), FORMATS[info["dtype"]]).reshape(info["shape"])
            for file in sorted(pathlib.Path(folder).glob("*.safetensors"))
            for name, info in safetensors.deserialize(file.read_bytes())}


def e2m1(packed):
    """Elements of packed bytes, low nibble first, as float64."""
    packed = packed.view(np.uint8)
    codes = np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1)
    return codes.astype(np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)


def spread(scales, width):
    return np.repeat(scales.astype(np.float64), width, axis=-1)


def source_values(tensors, base, packed, scale):
    """Of an MXFP4 weight; blocks of gpt-oss have an axis of groups."""
    elements = tensors[base + packed]
    codes = tensors[base + scale].view(np.uint8).view(ml_dtypes.float8_e8m0fnu)
    values = e2m1(elements).reshape(*codes.shape[:-1], -1)
    return values * spread(codes, 32)


def write(folder, tensors, config):
    folder.mkdir()
    kept = {name: np.ascontiguousarray(array) for name, (_, array) in tensors.items()}  # until they are written
    specs = {name: safetensors.TensorSpec(dtype=NAMES[tensors[name][0]], shape=array.shape, data_ptr=array.ctypes.data,
                                          data_len=array.nbytes) for name, array in kept.items()}
    safetensors.serialize_file(specs, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config))


class Cast(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.random = np.random.default_rng(7)

    def packed(self, *shape):
        return self.random.integers(0, 256, shape, dtype=np.uint8)

    def scales(self, *shape):
        return self.random.integers(112, 130, shape, dtype=np.uint8)  # 17 binades apart: the whole range of E4M3

    def cast(self, *flags):
        source, target, back = self.folder / "source", self.folder / "target", self.folder / "back"
        assay("cast", source, target, *flags)
        assay("cast", target, back, "--reverse")
        for file in source.iterdir():
            self.assertEqual(hashlib.sha256(file.read_bytes()).digest(),
                             hashlib.sha256((back / file.name).read_bytes()).digest(), file.name)
        return read(source), read(target)

    def test_the_layout_of_kimi_k3(self):
        base = "language_model.model.layers.1.block_sparse_moe.experts.0."
        tensors = {"language_model.model.norm.weight": ("BF16", np.ones(8, ml_dtypes.bfloat16))}
        for w, rows, columns in (("w1", 48, 64), ("w2", 64, 96), ("w3", 48, 64)):
            tensors[f"{base}{w}.weight_packed"] = ("U8", self.packed(rows, columns // 2))
            tensors[f"{base}{w}.weight_scale"] = ("U8", self.scales(rows, columns // 32))
        write(self.folder / "source", tensors, {"model_type": "kimi_k3"})
        source, made = self.cast()
        for w in ("w1", "w2", "w3"):
            values = e2m1(made[f"{base}{w}.weight"]) * spread(made[f"{base}{w}.weight_scale"], 16)
            values *= np.float64(made[f"{base}{w}.weight_scale_2"])
            wanted = source_values(source, f"{base}{w}", ".weight_packed", ".weight_scale")
            np.testing.assert_array_equal(values, wanted)
            np.testing.assert_array_equal(np.signbit(values), np.signbit(wanted))
            self.assertEqual(made[f"{base}{w}.weight_scale_2"].shape, ())
        self.assertEqual(made[f"{base}w1.weight_scale_2"], made[f"{base}w3.weight_scale_2"])

    def test_the_reciprocal_of_compressed_tensors(self):
        tensors = {"m.experts.0.w1.weight_packed": ("U8", self.packed(32, 32)),
                   "m.experts.0.w1.weight_scale": ("U8", self.scales(32, 2))}
        write(self.folder / "source", tensors, {"model_type": "x"})
        source, made = self.cast("--dialect", "compressed-tensors")
        values = e2m1(made["m.experts.0.w1.weight_packed"]) * spread(made["m.experts.0.w1.weight_scale"], 16)
        values /= np.float64(made["m.experts.0.w1.weight_global_scale"][0])
        np.testing.assert_array_equal(values, source_values(source, "m.experts.0.w1", ".weight_packed", ".weight_scale"))

    def test_the_layout_of_gpt_oss_with_blocks_out_of_range(self):
        blocks = self.packed(2, 64, 3, 16)
        scales = self.scales(2, 64, 3)
        scales[0, 0, 0] = 129                         # m is -6, and scales down to 2^-15, code 112, are in range
        blocks[1, 5, 1], scales[1, 5, 1] = 0x60, 109  # 0 and 4, three binades below that
        blocks[0, 9, 2], scales[0, 9, 2] = 0x08, 3    # zeros of both signs, far below
        base = "model.layers.0.mlp.experts.down_proj"
        write(self.folder / "source", {base + "_blocks": ("U8", blocks), base + "_scales": ("U8", scales)},
              {"model_type": "gpt_oss"})
        source, made = self.cast()
        values = e2m1(made[base]) * spread(made[base + "_weight_scale"], 16) * np.float64(made[base + "_weight_scale_2"])
        wanted = source_values(source, base, "_blocks", "_scales")
        np.testing.assert_array_equal(values, wanted)
        np.testing.assert_array_equal(np.signbit(values), np.signbit(wanted))
        self.assertGreater(np.count_nonzero(made[base].reshape(-1) != blocks.reshape(-1)), 0)

    def test_the_layout_of_deepseek_v4(self):
        tensors = {"layers.0.ffn.experts.0.w1.weight": ("I8", self.packed(32, 32).view(np.int8)),
                   "layers.0.ffn.experts.0.w1.scale": ("F8_E8M0", self.scales(32, 2))}
        write(self.folder / "source", tensors, {"model_type": "deepseek_v4"})
        source, made = self.cast()
        base = "layers.0.ffn.experts.0.w1"
        values = e2m1(made[base + ".weight"]) * spread(made[base + ".weight_scale"], 16)
        values *= np.float64(made[base + ".weight_scale_2"])
        np.testing.assert_array_equal(values, source_values(source, base, ".weight", ".scale"))


unittest.main()
