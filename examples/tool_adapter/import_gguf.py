"""Turn a shipped adapter back for more training: `python import_gguf.py smollm2-tools.gguf out`.

The way back of `export_gguf.py`; the numbers are those of the file, which has 16 bits for each.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np
from export_gguf import HEADS, NAMES
from gguf import GGUFReader
from peft import LoraConfig
from safetensors.numpy import save_file

MODULES = {theirs: ours for ours, theirs in NAMES.items()}


def restored(rows: np.ndarray, heads: int) -> np.ndarray:
    """The rows (out, r) in the order of transformers: `export_gguf.permuted` undone."""
    out, rank = rows.shape
    return rows.reshape(heads, out // heads // 2, 2, rank).swapaxes(1, 2).reshape(out, rank)


def load(source: Path) -> tuple[dict[str, np.ndarray], int]:
    """The tensors by peft's names, and the rank."""
    pattern = re.compile(r"blk\.(\d+)\.(\w+)\.weight\.lora_([ab])$")
    tensors, rank = {}, 0
    for tensor in GGUFReader(str(source)).tensors:
        match = pattern.search(tensor.name)
        assert match, tensor.name
        layer, module, side = match[1], MODULES[match[2]], match[3].upper()
        value = tensor.data.astype(np.float32)
        if side == "A":
            rank = value.shape[0]
        elif module in HEADS:
            value = restored(value, HEADS[module])
        part = "self_attn" if module in ("q_proj", "k_proj", "v_proj", "o_proj") else "mlp"
        key = f"base_model.model.model.layers.{layer}.{part}.{module}.lora_{side}.weight"
        tensors[key] = np.ascontiguousarray(value)
    return tensors, rank


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    tensors, rank = load(arguments.source)
    arguments.target.mkdir(parents=True, exist_ok=True)
    save_file(tensors, arguments.target / "adapter_model.safetensors")
    LoraConfig(
        r=rank, lora_alpha=2 * rank, target_modules=[*NAMES], task_type="CAUSAL_LM"
    ).save_pretrained(str(arguments.target))
    print(f"{arguments.target}: {len(tensors)} tensors of rank {rank}")


if __name__ == "__main__":
    main()
