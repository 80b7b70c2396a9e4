"""Average adapters: `python average.py s3 s4 --out mean`.

The mean of the changes B·A that the adapters make to the weights, cut back to one rank by its
singular values. Checkpoints of a short training lean to different sides; their mean leans less.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file


def mean_of(parts: list[tuple[np.ndarray, np.ndarray]], rank: int) -> tuple[np.ndarray, np.ndarray]:
    """A (rank, in) and B (out, rank) of the mean, found in the small space the factors span."""
    right = np.concatenate([a for a, _ in parts])
    left = np.concatenate([b for _, b in parts], axis=1) / len(parts)
    q_left, r_left = np.linalg.qr(left)
    q_right, r_right = np.linalg.qr(right.T)
    u, values, v = np.linalg.svd(r_left @ r_right.T)
    root = np.sqrt(values[:rank])
    return (root[:, None] * v[:rank]) @ q_right.T, q_left @ (u[:, :rank] * root)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    weights = [load_file(source / "adapter_model.safetensors") for source in arguments.sources]
    config = json.loads((arguments.sources[0] / "adapter_config.json").read_text(encoding="utf-8"))
    mean = {}
    for key in weights[0]:
        if ".lora_A." in key:
            other = key.replace(".lora_A.", ".lora_B.")
            parts = [(one[key], one[other]) for one in weights]
            mean[key], mean[other] = mean_of(parts, arguments.rank)
    scale = config["lora_alpha"] / config["r"]
    config |= {"r": arguments.rank, "lora_alpha": scale * arguments.rank}
    arguments.out.mkdir(parents=True, exist_ok=True)
    save_file(
        {key: np.ascontiguousarray(value, dtype=np.float32) for key, value in mean.items()},
        arguments.out / "adapter_model.safetensors",
    )
    (arguments.out / "adapter_config.json").write_text(json.dumps(config), encoding="utf-8")
    print(f"mean of {len(weights)} adapters, rank {arguments.rank}: {arguments.out}")


if __name__ == "__main__":
    main()
