"""Install what training needs (PyTorch, transformers), now instead of at its first use.

example:
  aworld setup-training
"""

from __future__ import annotations

import argparse
import json

from aworld import config
from aworld_web.processes import training_requirements

NAME = "setup-training"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="answer in JSON")


def run(arguments: argparse.Namespace) -> int:
    """Install; 0 where training can begin."""
    home = config.load().home
    training_requirements.install(home, (lambda _line: None) if arguments.json else print)
    installed = training_requirements.is_installed()
    if arguments.json:
        print(json.dumps({"installed": installed}))
    elif installed:
        print(training_requirements.THERE)
    return 0 if installed else 1
