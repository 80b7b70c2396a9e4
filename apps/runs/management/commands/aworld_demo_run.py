"""`manage.py aworld_demo_run`: give the demo's team something to do, so that the page shows it."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.agents.selectors import team_named
from apps.runs.selectors import run_counts
from apps.runs.services import run_create
from apps.shell.refusals import Missing
from aworld.environments.math.word_problems import draw

TEAM = "arithmetic"


class Command(BaseCommand):
    """Queue a few runs of the demo's team on questions that were never asked before."""

    help = "Queue runs of the demo's team; nothing where some are queued or running already."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--count", type=int, default=3, help="how many runs (default: 3)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Queue them. Raises CommandError where the team is gone."""
        counts = run_counts()
        if counts.get("queued", 0) + counts.get("running", 0):
            self.stdout.write("runs are under way already")
            return
        try:
            team = team_named(TEAM)
        except Missing as fault:
            raise CommandError(f"The demo's team {TEAM!r} is gone: {fault}") from fault
        for problem in draw(secrets.randbits(32), options["count"]):
            record = run_create(input=problem.question, by="demo", team_id=str(team.pk))
            self.stdout.write(f"queued {record.run_id}: {problem.question}")
