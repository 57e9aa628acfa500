"""Values of MXFP4 and NVFP4 weights as the compressed-tensors library decodes them, against assay's.

    python compare.py ASSAY ROWS.safetensors [--write tests/data/compressed_tensors_values.txt]

ROWS is the published w1_first64rows.safetensors. Needs torch, which is why no test runs it: see ../README.md.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import tempfile

import compressed_tensors
import torch
from compressed_tensors.compressors.mxfp4 import MXFP4PackedCompressor
from compressed_tensors.compressors.nvfp4 import NVFP4PackedCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from safetensors.torch import load_file, save_file

GLOBALS = (1.0, 16.0, 2688 / 3.7)  # divisors; the last is no power of two
EXPERT = "language_model.model.layers.1.block_sparse_moe.experts.0.w1"


def scheme(strategy, group_size, dtype):
    return QuantizationScheme(targets=["Linear"], weights=QuantizationArgs(
        num_bits=4, type="float", strategy=strategy, group_size=group_size, symmetric=True, dynamic=False, scale_dtype=dtype))


MXFP4 = scheme("group", 32, torch.uint8)
NVFP4 = scheme("tensor_group", 16, torch.float8_e4m3fn)


def decode(state):
    """BF16 values of one weight's tensors, by the library's own decompressors."""
    if "weight_global_scale" in state:
        return NVFP4PackedCompressor.decompress(state, NVFP4)["weight"]
    return MXFP4PackedCompressor.decompress(state, MXFP4)["weight"]


def all_codes(width, scales):
    """A row a scale code: the 16 elements, over and over."""
    packed = torch.tensor([[2 * i | (2 * i + 1) << 4 for i in range(8)] * (width // 16)] * 256, dtype=torch.uint8)
    return {"weight_packed": packed, "weight_scale": scales.reshape(256, 1)}


def code_states():
    codes = torch.arange(256, dtype=torch.int32).to(torch.uint8)
    yield "mxfp4", all_codes(32, codes)
    for divisor in GLOBALS:
        state = all_codes(16, codes.view(torch.float8_e4m3fn))
        state["weight_global_scale"] = torch.tensor([divisor], dtype=torch.float32)
        yield f"nvfp4 {state['weight_global_scale'].view(torch.int32).item():08x}", state


def bits(values):
    return values.view(torch.int16).to(torch.int32) & 0xFFFF


def golden_lines(rows):
    yield f"# compressed-tensors {compressed_tensors.__version__}, torch {torch.__version__}, CPU: BF16 bits of elements 0 to 15"
    yield "# mxfp4 SCALE-CODE values; nvfp4 GLOBAL-SCALE-F32-BITS SCALE-CODE values; rows SHA256-OF-BF16-VALUES"
    for label, state in code_states():
        for code, row in enumerate(bits(decode(state))[:, :16].tolist()):
            yield f"{label} {code:02x} " + " ".join(f"{value:04x}" for value in row)
    yield "rows " + hashlib.sha256(decode(rows).contiguous().view(torch.uint8).numpy().tobytes()).hexdigest()


def assay(program, *args, code=0):
    run = subprocess.run([program, *map(str, args)], capture_output=True, text=True)
    assert run.returncode == code, (args, run.returncode, run.stdout, run.stderr)
    return run.stdout


def same(exact, rounded):
    """Whether a BF16 value is the exact one, or for a global scale that is no power of two the nearest but one."""
    if exact != exact or rounded != rounded:
        return exact != exact and rounded != rounded
    return exact == rounded or abs(exact - rounded) <= abs(exact) * 2.0 ** -7


def compare_codes(program, folder):
    counts = {"exact": 0, "rounded": 0, "undefined in both": 0, "past BF16": 0, "E8M0 255": 0}
    for label, state in code_states():
        tensors = {}
        for code in range(256):
            tensors |= {f"c{code}.{name}": (tensor if name == "weight_global_scale" else tensor[code:code + 1]).clone()
                        for name, tensor in state.items()}
        save_file(tensors, folder / "codes.safetensors")
        for code, theirs in enumerate(decode(state)[:, :16].to(torch.float64).tolist()):
            ours = json.loads(assay(program, "inspect", folder / "codes.safetensors", "--tensor", f"c{code}", "--format", "json"))
            for exact, rounded in zip(map(float, ours["first_values"]), theirs, strict=True):
                if label == "mxfp4" and code == 255:
                    assert exact != exact, "NaN in the standard"
                    counts["E8M0 255"] += 1  # the library has 2^128 there, which is infinity in BF16
                elif exact != exact:
                    assert rounded != rounded, (label, code)
                    counts["undefined in both"] += 1
                elif abs(rounded) == float("inf"):
                    assert abs(exact) >= 2.0 ** 128, (label, code)
                    counts["past BF16"] += 1
                else:
                    assert same(exact, rounded), (label, code, exact, rounded)
                    assert exact == rounded or label == f"nvfp4 {torch.tensor(GLOBALS[-1]).view(torch.int32).item():08x}", label
                    counts["exact" if exact == rounded else "rounded"] += 1
    return counts


def parts(file):
    return {name.removeprefix(EXPERT + "."): tensor for name, tensor in load_file(file).items()}


def compare_casts(program, rows_file, folder):
    """What assay casts, the library decodes to the source's values; what the library compresses, assay finds exact."""
    source = folder / "source"
    source.mkdir()
    (source / "model.safetensors").write_bytes(rows_file.read_bytes())
    (source / "config.json").write_text(json.dumps({"model_type": "kimi_k3", "quantization_config": {
        "quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized",
        "config_groups": {"group_0": {"targets": ["Linear"], "weights": {
            "num_bits": 4, "type": "float", "strategy": "group", "group_size": 32}}}, "ignore": []}}))
    want = decode(parts(source / "model.safetensors"))
    for dialect in ("modelopt", "compressed-tensors"):
        cast = folder / dialect
        assay(program, "cast", source, cast, "--dialect", dialect, "--quiet")
        state = parts(next(cast.glob("*.safetensors")))
        if dialect == "modelopt":
            state = {"weight_packed": state["weight"], "weight_scale": state["weight_scale"],
                     "weight_global_scale": 1 / state["weight_scale_2"].reshape(1)}
        assert torch.equal(bits(decode(state)), bits(want)), dialect
    theirs = folder / "theirs"
    theirs.mkdir()
    k = parts(source / "model.safetensors")["weight_scale"].to(torch.int32) - 127
    m = int(k.max()) - 8
    state = {"weight": want.to(torch.float32), "weight_scale": torch.exp2((k - m).float()).repeat_interleave(2, dim=1),
             "weight_global_scale": torch.tensor([2.0 ** -m])}
    packed = NVFP4PackedCompressor.compress(state, NVFP4)
    save_file({f"{EXPERT}.{name}": tensor.contiguous() for name, tensor in packed.items()}, theirs / "model.safetensors")
    audit = json.loads(assay(program, "audit", theirs, "--source", source, "--format", "json", "--rules", "header"))["against"]
    assert audit["blocks_exact"] == audit["blocks"] == want.numel() // 32, audit
    return want.numel(), audit["blocks"], audit["blocks_payload_equal"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    flags = parser.parse_args()
    if flags.write:
        flags.write.write_text("\n".join(golden_lines(parts(flags.rows))) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        print("codes:", compare_codes(flags.assay, pathlib.Path(folder)))
        values, blocks, payload = compare_casts(flags.assay, flags.rows, pathlib.Path(folder))
        print(f"published rows: {values} values decoded alike before and after two casts; "
              f"{blocks} blocks that the library wrote are exact, {payload} of them in equal bytes")


if __name__ == "__main__":
    main()
