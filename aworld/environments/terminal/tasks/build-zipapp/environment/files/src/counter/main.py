"""The program."""

import sys

from counter._version import VERSION
from plain.words import words


def run():
    """Count the words of the files that are named."""
    total = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            total += len(words(file.read()))
    print(f"{total} words (count {VERSION})")
