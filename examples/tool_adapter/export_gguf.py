"""Turn the trained adapter into GGUF: `python export_gguf.py adapter smollm2-tools.gguf`."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from pathlib import Path

import numpy as np
from gguf import GGUFWriter
from safetensors.numpy import load_file

NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
HEADS = {"q_proj": 9, "k_proj": 3}
"""Of SmolLM2-135M. llama.cpp pairs the halves of a head for its rotary positions."""


def permuted(rows: np.ndarray, heads: int) -> np.ndarray:
    """The rows (out, r) in llama.cpp's order, as its own converter puts those of q and k."""
    out, rank = rows.shape
    return rows.reshape(heads, 2, out // heads // 2, rank).swapaxes(1, 2).reshape(out, rank)


def export(source: Path, target: Path) -> None:
    config = json.loads((source / "adapter_config.json").read_text(encoding="utf-8"))
    writer = GGUFWriter(str(target), "llama")
    writer.add_type("adapter")
    writer.add_name("SmolLM2-135M-Instruct tools")
    writer.add_license("apache-2.0")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
    pattern = re.compile(r"layers\.(\d+)\.\w+\.(\w+)\.lora_([AB])\.weight$")
    for key, value in sorted(load_file(source / "adapter_model.safetensors").items()):
        match = pattern.search(key)
        assert match, key
        layer, module, side = match.groups()
        if side == "B" and module in HEADS:
            value = permuted(value, HEADS[module])
        name = f"blk.{layer}.{NAMES[module]}.weight.lora_{side.lower()}"
        writer.add_tensor(name, np.ascontiguousarray(value.astype(np.float16)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    export(arguments.source, arguments.target)
    data = arguments.target.read_bytes()
    print(f"{arguments.target}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
