"""`manage.py aworld_seed`: what a new installation starts with. Again: adds what is missing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.agents.services import first_definitions
from apps.runs.stores import run_store
from apps.tasks.services import first_tasks
from aworld.errors import AWorldError
from aworld.interchange.archive import SUFFIX, read_archive


class Command(BaseCommand):
    """Model connection, teams, tasks and the recorded runs that ship with the product."""

    help = "Add what a new installation starts with; what is there stays as it is."

    def handle(self, *args: Any, **options: Any) -> None:
        """Add what is missing and say what."""
        for line in (*first_definitions(), *first_tasks(), *self._recorded_runs()):
            self.stdout.write(f"added {line}")

    def _recorded_runs(self) -> list[str]:
        """Take in the archives of `examples/recorded`. One that someone deleted stays deleted."""
        done_file = settings.HOME / "recorded_runs"
        done = (
            set(done_file.read_text(encoding="utf-8").split("\n")) if done_file.exists() else set()
        )
        added: list[str] = []
        for path in sorted((settings.SITE / "examples" / "recorded").glob(f"*{SUFFIX}")):
            if path.name in done:
                continue
            try:
                with path.open("rb") as file:
                    imported = read_archive(run_store(), file)
            except AWorldError as error:
                self.stderr.write(f"The recorded run {path.name!r} was left out: {error}")
                continue
            done.add(path.name)
            if imported.new:
                added.append(f"run {imported.record.run_id} of {path.name}")
        done_file.write_text("\n".join(sorted(name for name in done if name)), encoding="utf-8")
        return added
