"""The programs that are attachments, and what they print."""

from __future__ import annotations

import contextlib
import io

PIPELINE = '''"""Follows numbers along their digits until one comes back."""

from __future__ import annotations

import sys


def step(number: int) -> int:
    """The sum of the digits' cubes, folded below 10,000 with the number's length."""
    cubes = sum(int(digit) ** 3 for digit in str(number))
    return (cubes * len(str(number)) + 17 * number) % 9973


def chain(start: int) -> list[int]:
    """All numbers from a start until the first that was there before."""
    seen: list[int] = []
    while start not in seen:
        seen.append(start)
        start = step(start)
    return seen


def main() -> None:
    """Print the length of each chain, then the largest number of the longest one."""
    chains = [chain(start) for start in range(3, 60, 7)]
    for numbers in chains:
        sys.stdout.write(f"{len(numbers)}\\n")
    longest = max(chains, key=len)
    sys.stdout.write(f"{max(longest)}\\n")


if __name__ == "__main__":
    main()
'''

DISCOUNT = '''"""Adds up orders. The README says what is wrong with it."""

from __future__ import annotations

import csv
import sys


def price(row: dict[str, str]) -> float:
    """What an order costs."""
    total = int(row["pieces"]) * float(row["price"])
    if int(row["pieces"]) > 10:
        total *= 0.9
    return round(total, 2)


def main() -> None:
    """Read orders.csv, print the sum."""
    with open("orders.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sys.stdout.write(f"{sum(price(row) for row in rows[1:]):.2f}\\n")


if __name__ == "__main__":
    main()
'''


def run_pipeline() -> list[int]:
    """The numbers that the first program prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(PIPELINE, "small_program.py", "exec"), {"__name__": "__main__"})
    return [int(line) for line in out.getvalue().split()]
