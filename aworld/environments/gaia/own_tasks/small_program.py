"""Follows numbers along their digits until one comes back."""

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
        sys.stdout.write(f"{len(numbers)}\n")
    longest = max(chains, key=len)
    sys.stdout.write(f"{max(longest)}\n")


if __name__ == "__main__":
    main()
