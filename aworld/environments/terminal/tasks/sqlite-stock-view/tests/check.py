"""Asks the database."""

import sqlite3

db = sqlite3.connect("file:/app/stock.db?mode=ro", uri=True)
moves = db.execute("SELECT id FROM move ORDER BY id").fetchall()
assert [row[0] for row in moves] == [1, 3, 4, 6, 7, 8, 9], f"moves left: {moves}"
kind = db.execute("SELECT type FROM sqlite_master WHERE name = 'month_end'").fetchone()
assert kind == ("view",), "month_end is not a view"
stock = {"bolt": (70, 70, 81, 81), "nut": (40, 40, 25, 25), "washer": (0, 0, 0, 1)}
months = ["2027-01", "2027-02", "2027-03", "2027-04"]
expected = [(m, name, stock[name][n]) for n, m in enumerate(months) for name in sorted(stock)]
found = db.execute("SELECT month, name, stock FROM month_end").fetchall()
assert found == expected, f"month_end gives {found}"
print("The database is right.")
