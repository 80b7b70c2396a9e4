"""Start the web application: the page, the workers, the broker, the local model.

example:
  aworld up --demo --open
  aworld up --port 8100 --workers 2
  aworld up --single-process        (no Valkey, no Celery; the way Windows runs)
"""

from __future__ import annotations

import argparse
import os
import sys

from aworld import config
from aworld_web.processes.bring_up import Options
from aworld_web.processes.parent import run as run_parent

NAME = "up"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--demo", action="store_true", help="start a run of the demo's team")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument(
        "--port",
        type=int,
        default=os.environ.get("AWORLD_PORT", "8000"),
        help="the page's port (default: %(default)s)",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=os.environ.get("AWORLD_WORKERS", "1"),
        help="how many workers (default: %(default)s)",
    )
    parser.add_argument(
        "--single-process",
        action="store_true",
        default=sys.platform == "win32",
        help="no broker and no workers: the page's process works on the runs",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run until Ctrl-C; 0 where that is how it ended."""
    return run_parent(
        Options(
            home=config.load().home,
            port=arguments.port,
            workers=max(1, arguments.workers),
            demo=arguments.demo,
            single_process=arguments.single_process,
            open_browser=arguments.open,
        )
    )
