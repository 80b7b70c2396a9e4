"""What connections have cost, kept in a file of the data folder, where there is no Redis.

A budget of a month must outlive the process, and commands beside each other must see one sum.
"""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

FILE = "spending.sqlite3"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS spending (connection TEXT, period TEXT, usd REAL, "
    "PRIMARY KEY (connection, period))"
)
_ADD = (
    "INSERT INTO spending VALUES (?, ?, ?) "
    "ON CONFLICT (connection, period) DO UPDATE SET usd = usd + excluded.usd"
)
_READ = "SELECT usd FROM spending WHERE connection = ? AND period = ?"


class Ledger:
    """Sums in USD by connection and period. Safe between threads and processes."""

    def __init__(self, folder: Path | None) -> None:
        """None keeps the sums in memory."""
        place = ":memory:" if folder is None else str(folder / FILE)
        self._lock = threading.Lock()
        self._database = sqlite3.connect(
            place, timeout=10, isolation_level=None, check_same_thread=False
        )
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.execute(_TABLE)

    def add(self, connection: str, periods: tuple[str, ...], usd: float) -> None:
        """Add to all these periods."""
        with self._lock:
            self._database.executemany(_ADD, [(connection, period, usd) for period in periods])

    def read(self, connection: str, period: str) -> float:
        """The sum; 0.0 where there is none."""
        with self._lock:
            row = self._database.execute(_READ, (connection, period)).fetchone()
        return float(row[0]) if row else 0.0

    def close(self) -> None:
        """Close the file."""
        self._database.close()
