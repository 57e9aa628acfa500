"""assay's reading of checkpoints, number by number, against safetensors and ml_dtypes."""

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
import safetensors.numpy

WRITE = sys.argv.pop(2)
PROGRAM = sys.argv.pop(1)

FORMATS = {  # names in a header to NumPy types
    "U8": np.uint8, "I8": np.int8, "BF16": ml_dtypes.bfloat16, "F16": np.float16, "F32": np.float32,
    "F64": np.float64, "I16": np.int16, "U16": np.uint16, "I32": np.int32, "U32": np.uint32, "I64": np.int64,
    "F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2, "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}


def assay(*args, code=0):
    run = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True)
    assert run.returncode == code, (args, run.returncode, run.stdout, run.stderr)
    return run.stdout


def first_values(path, tensor):
    detail = json.loads(assay("inspect", path, "--tensor", tensor, "--format", "json"))
    return np.array([float(value) for value in detail["first_values"]])


def read(folder):
    """All tensors of a folder as the reference reader gives them: name to (dtype, array)."""
    tensors = {}
    for file in sorted(pathlib.Path(folder).glob("*.safetensors")):
        for name, info in safetensors.deserialize(file.read_bytes()):
            array = np.frombuffer(bytes(info["data"]), FORMATS[info["dtype"]]).reshape(info["shape"])
            tensors[name] = (info["dtype"], array)
    return tensors


def e2m1(packed):
    """Elements of packed bytes, low nibble first, as float64."""
    codes = np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1)
    return codes.astype(np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float64)


def dequantized(tensors):
    """Every quantized weight of a checkpoint in float64, in which all of these products are exact."""
    weights = {}
    for name, (dtype, array) in tensors.items():
        base = name.removesuffix(".weight_scale")
        if base == name:
            continue
        packed = tensors.get(base + ".weight_packed", tensors.get(base + ".weight"))[1]
        if dtype == "U8":
            scale = array.view(ml_dtypes.float8_e8m0fnu).astype(np.float64).repeat(32, axis=-1)
        else:
            scale = array.astype(np.float64).repeat(16, axis=-1)
            if base + ".weight_scale_2" in tensors:
                scale = scale * np.float64(tensors[base + ".weight_scale_2"][1].reshape(()))
            else:
                scale = scale / np.float64(tensors[base + ".weight_global_scale"][1].reshape(()))
        weights[base] = (e2m1(packed) * scale, packed)
    return weights


def with_nan_equal(a, b):
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a[a == 0]), np.signbit(b[b == 0]))


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def model(self, dialect, name=None):
        folder = self.folder / (name or dialect)
        subprocess.run([WRITE, dialect, str(folder)], check=True)
        return folder


class WrittenByThem(Folder):
    def test_every_code_of_the_8_bit_floats(self):
        for dtype in ("F8_E4M3", "F8_E5M2", "F8_E8M0"):
            codes = np.arange(256, dtype=np.uint8).reshape(16, 16)
            file = self.folder / f"{dtype}.safetensors"
            safetensors.numpy.save_file({f"t{i:02}": row.view(FORMATS[dtype]) for i, row in enumerate(codes)}, file)
            for i, row in enumerate(codes):
                want = row.view(FORMATS[dtype]).astype(np.float64)
                self.assertTrue(with_nan_equal(first_values(file, f"t{i:02}"), want), (dtype, i))

    def test_numbers_of_16_32_and_64_bits(self):
        random = np.random.default_rng(5)
        tensors = {}
        for dtype, numpy_type in FORMATS.items():
            bits = np.dtype(numpy_type).itemsize * 8
            raw = random.integers(0, 256, 16 * bits // 8, dtype=np.uint8)
            tensors[dtype] = raw.view(numpy_type).reshape(4, 4)
        file = self.folder / "all.safetensors"
        safetensors.numpy.save_file(tensors, file, metadata={"format": "np"})
        for dtype, array in tensors.items():
            with np.errstate(invalid="ignore"):
                self.assertTrue(with_nan_equal(first_values(file, dtype), array.astype(np.float64).ravel()), dtype)

    def test_a_quantized_weight_in_each_scale(self):
        random = np.random.default_rng(6)
        for i in range(8):
            packed = random.integers(0, 256, (1, 16), dtype=np.uint8)
            scale = random.integers(0, 0x7F, (1, 2), dtype=np.uint8).view(ml_dtypes.float8_e4m3fn)
            tensors = {"l.w.weight": packed, "l.w.weight_scale": scale,
                       "l.w.weight_scale_2": np.array(random.random(), dtype=np.float32)}
            file = self.folder / f"{i}.safetensors"
            safetensors.numpy.save_file(tensors, file)
            want = dequantized({name: (None if "scale" in name else "U8", array) for name, array in tensors.items()})
            self.assertTrue(with_nan_equal(first_values(file, "l.w"), want["l.w"][0].ravel()[:16]), i)


class ReadByThem(Folder):
    def test_the_source_and_its_casts_have_the_same_values(self):
        source = dequantized(read(self.model("compressed_tensors_mxfp4")))
        self.assertEqual(len(source), 9)
        for dialect in ("modelopt_nvfp4", "compressed_tensors_nvfp4"):
            cast = dequantized(read(self.model(dialect)))
            self.assertEqual(cast.keys(), source.keys())
            for name, (values, packed) in source.items():
                self.assertTrue(with_nan_equal(cast[name][0], values), (dialect, name))
                self.assertTrue(np.array_equal(cast[name][1], packed))

    def test_the_reference_writer_writes_the_same_file(self):
        for dialect in ("compressed_tensors_mxfp4", "modelopt_nvfp4", "gpt_oss", "deepseek_v4"):
            for file in self.model(dialect).glob("*.safetensors"):
                tensors = {name: np.frombuffer(bytes(info["data"]), FORMATS[info["dtype"]]).reshape(info["shape"])
                           for name, info in safetensors.deserialize(file.read_bytes())}
                self.assertEqual(safetensors.numpy.save(tensors), file.read_bytes(), (dialect, file.name))

    def test_digests_are_those_of_hashlib(self):
        folder = self.model("modelopt_nvfp4")
        lines = [json.loads(line) for line in assay("inspect", folder, "--digests").splitlines()]
        self.assertEqual(lines[0]["format"], "assay.digests/1")
        files = {line["file"]: line["sha256"] for line in lines if "file" in line}
        self.assertEqual(files, {file.name: hashlib.sha256(file.read_bytes()).hexdigest()
                                 for file in folder.glob("*.safetensors")})
        tensors = {line["tensor"]: line["sha256"] for line in lines if "tensor" in line}
        self.assertEqual(tensors, {name: hashlib.sha256(array.tobytes()).hexdigest()
                                   for name, (_, array) in read(folder).items()})


class DamagedByThem(Folder):
    def test_an_audit_counts_what_numpy_counts(self):
        source = self.model("compressed_tensors_mxfp4")
        random = np.random.default_rng(7)
        for dialect in ("modelopt_nvfp4", "compressed_tensors_nvfp4"):
            for round in range(6):
                target = self.model(dialect, f"{dialect}{round}")
                self.damage(target, random)
                self.compare(source, target)

    @staticmethod
    def damage(folder, random):
        file = sorted(folder.glob("*.safetensors"))[-1]
        raw = bytearray(file.read_bytes())
        begin = 8 + int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8:begin])
        for name, info in header.items():
            first, end = (begin + offset for offset in info["data_offsets"])
            if name.endswith((".weight_scale", ".weight_packed")) or ".experts." in name and name.endswith(".weight"):
                for at in random.integers(first, end, 3):
                    flipped = raw[at] ^ 1 << int(random.integers(0, 7))
                    if not name.endswith("scale") or flipped & 0x7F != 0x7F:
                        raw[at] = flipped
        file.write_bytes(raw)

    def compare(self, source, target):
        want = dequantized(read(source))
        have = dequantized(read(target))
        exact = equal = blocks = 0
        largest = 0.0
        for name, (values, packed) in want.items():
            other, other_packed = have[name]
            same = (values == other).reshape(values.shape[0], -1, 32).all(axis=-1)
            blocks += same.size
            exact += int(same.sum())
            equal += int((packed == other_packed).reshape(packed.shape[0], -1, 16).all(axis=-1).sum())
            largest = max(largest, float(np.abs(values - other).max()))
        audit = json.loads(assay("audit", target, "--source", source, "--format", "json", code=1))["against"]
        self.assertLess(exact, blocks)
        self.assertEqual(
            (audit["blocks"], audit["blocks_exact"], audit["blocks_payload_equal"], audit["max_abs_err"]),
            (blocks, exact, equal, largest))


if __name__ == "__main__":
    unittest.main(verbosity=2)
