"""Makes the database; removed afterwards."""

import sqlite3

db = sqlite3.connect("stock.db")
db.executescript(
    "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE move(id INTEGER PRIMARY KEY, item INTEGER, at TEXT, count INTEGER);"
)
db.executemany("INSERT INTO item VALUES(?, ?)", [(1, "bolt"), (2, "nut"), (3, "washer")])
moves = [
    (1, "2027-01-04", 100), (1, "2027-01-04", 100), (2, "2027-01-31", 40),
    (1, "2027-01-09", -30), (9, "2027-01-10", 7), (2, "2027-03-01", -15),
    (1, "2027-03-02", 5), (1, "2027-03-02", 6), (3, "2027-04-30", 1),
    (2, "2027-03-01", -15), (8, "2026-11-01", 3), (1, "2027-01-09", -30),
]
db.executemany("INSERT INTO move(item, at, count) VALUES(?, ?, ?)", moves)
db.commit()
