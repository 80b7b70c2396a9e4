"""Records the failed run that ships with the product: a real team, the real local model.

python scripts/record_example.py            writes examples/recorded/divided-by-zero.aworld.zip
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from aworld.agents.build import build_team
from aworld.agents.catalogue import find_team
from aworld.agents.result import RunFailedError
from aworld.agents.runner import open_models, run_built
from aworld.agents.team import read_team
from aworld.interchange.archive import write_archive
from aworld.storage.sqlite import SqliteStore
from aworld.tools import registry

QUESTION = "Divide 12 by 0."
TARGET = Path(__file__).parent.parent / "examples" / "recorded" / "divided-by-zero.aworld.zip"


async def main() -> int:
    """Run, expect the failure, write the archive."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "runs.sqlite3", Path(folder) / "blobs")
        team = read_team(find_team("arithmetic"))
        try:
            async with open_models() as find_model:
                built = build_team(team, find_model, registry.get)
                await run_built(team, built, QUESTION, store=store, source="script")
        except RunFailedError as failed:
            with TARGET.open("wb") as file:
                manifest = write_archive(store, failed.run_id, file)
            sys.stdout.write(f"{TARGET.name}: {manifest}\n")
            return 0
        finally:
            store.close()
    sys.stderr.write("The run did not fail; nothing was written.\n")
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
