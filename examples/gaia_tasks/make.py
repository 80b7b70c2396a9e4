"""Write the suite: `python -m examples.gaia_tasks.make [FOLDER]`."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from examples.gaia_tasks import level1, level2, level3
from examples.gaia_tasks.made import Made

FOLDER = Path(__file__).parent.parent.parent / "aworld/environments/gaia/own_tasks"
LEVELS = {1: level1.MAKERS, 2: level2.MAKERS, 3: level3.MAKERS}


def tasks() -> list[tuple[int, Made]]:
    """Each task with its level."""
    return [
        (level, maker(random.Random(maker.__name__)))
        for level, makers in LEVELS.items()
        for maker in makers
    ]


def row_of(level: int, task: Made) -> dict[str, Any]:
    """The task as GAIA's metadata has it."""
    return {
        "task_id": task.name,
        "Question": task.question,
        "Level": level,
        "Final answer": task.answer,
        "file_name": f"{task.name}.{task.ending}" if task.ending else "",
        "Annotator Metadata": {
            "Steps": "\n".join(f"{n}. {step}" for n, step in enumerate(task.steps, start=1)),
            "Number of steps": str(len(task.steps)),
            "How long did this take?": "",
            "Tools": "\n".join(f"{n}. {tool}" for n, tool in enumerate(task.tools, start=1)),
            "Number of tools": str(len(task.tools)),
        },
    }


def write(folder: Path) -> None:
    """metadata.jsonl and the attachments."""
    folder.mkdir(parents=True, exist_ok=True)
    made = tasks()
    lines = [json.dumps(row_of(level, task), ensure_ascii=False) for level, task in made]
    (folder / "metadata.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for _, task in made:
        if task.ending:
            (folder / f"{task.name}.{task.ending}").write_bytes(task.content)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
