"""Level 1: one to three steps."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence

from examples.gaia_tasks.files import (
    Row,
    csv_file,
    docx_file,
    mp3_file,
    mp3_seconds,
    pdf_file,
    png_file,
    xlsx_file,
)
from examples.gaia_tasks.made import Made, Maker, number


def orchard_ledger(rng: random.Random) -> Made:
    kinds = ["Gala", "Boskoop", "Elstar", "Jonagold", "Topaz"]
    rows = []
    for day in range(1, 91):
        date = f"2024-{2 + (day - 1) // 30:02d}-{1 + (day - 1) % 28:02d}"
        for kind in rng.sample(kinds, rng.randint(1, 3)):
            rows.append((date, kind, rng.randint(12, 480), rng.choice(["market", "shop", "press"])))
    total = sum(row[2] for row in rows if row[1] == "Gala" and row[0].startswith("2024-03"))
    return Made(
        "orchard_ledger",
        "The attached spreadsheet is the sales ledger of an orchard. How many kilograms of Gala "
        "apples were sold in March 2024 altogether?",
        number(total),
        ("Open the spreadsheet", "Keep the rows of Gala in March 2024", "Add their kilograms"),
        ("documents", "code_interpreter"),
        "xlsx",
        xlsx_file({"Sales": [("date", "variety", "kg", "channel"), *rows]}),
    )


def museum_hours(rng: random.Random) -> Made:
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    table: list[tuple[str, str, str]] = [("Day", "Opens", "Closes")]
    minutes = 0
    for day in days:
        if day == "Monday":
            table.append((day, "closed", "closed"))
            continue
        opens = rng.choice([9 * 60, 9 * 60 + 30, 10 * 60, 10 * 60 + 15])
        closes = rng.choice([17 * 60, 17 * 60 + 45, 18 * 60, 20 * 60 + 30])
        minutes += closes - opens
        table.append((day, f"{opens // 60}:{opens % 60:02d}", f"{closes // 60}:{closes % 60:02d}"))
    minutes += 90
    pages: list[list[str | Sequence[Row]]] = [
        ["Welcome to the Harbour Museum. Our regular hours are these:", table],
        [
            "Late evening: among the days that close latest, the first of the week (Monday first) "
            "stays open 90 minutes longer than the table says.",
            "The café closes half an hour before the museum.",
        ],
    ]
    return Made(
        "museum_hours",
        "According to the attached leaflet, for how many minutes is the museum open in a whole "
        "regular week, the late evening included?",
        number(minutes),
        ("Read the table on page 1", "Read the rule of the late evening on page 2", "Add"),
        ("documents", "calculator"),
        "pdf",
        pdf_file(pages, "Harbour Museum: Visitor Information"),
    )


def swim_meet(rng: random.Random) -> Made:
    names = ["Noor", "Ilse", "Pavel", "Quentin", "Yuki", "Amara", "Tove", "Rafael", "Dana", "Milo"]
    rows: list[tuple[str, int, str, str]] = []
    totals: dict[str, float] = {}
    for name in names:
        disqualified = name in ("Pavel", "Tove")
        times = [round(rng.uniform(24.5, 31.0), 2) for _ in range(4)]
        for lap, seconds in enumerate(times, start=1):
            status = "DSQ" if disqualified and lap == 4 else "OK"
            rows.append((name, lap, f"{seconds:.2f}", status))
        if not disqualified:
            totals[name] = round(sum(times), 2)
    rng.shuffle(rows)
    winner = min(totals, key=lambda name: totals[name])
    return Made(
        "swim_meet",
        "The attached file has each swimmer's time for each of the four laps of a race, in "
        "seconds. Who won? A swimmer with a lap marked DSQ is out. Give the first name.",
        winner,
        ("Leave out who is disqualified", "Add the laps of each", "Take the smallest"),
        ("code_interpreter",),
        "csv",
        csv_file([("swimmer", "lap", "seconds", "status"), *rows]),
    )


def red_tiles(rng: random.Random) -> Made:
    colours = {"red": (200, 30, 30), "blue": (40, 60, 190), "ochre": (200, 160, 60)}
    names = [[rng.choice(list(colours)) for _ in range(14)] for _ in range(11)]
    red = sum(row.count("red") for row in names)
    blue = sum(row.count("blue") for row in names)
    return Made(
        "red_tiles",
        "The attached picture shows a floor of square tiles, 14 in a row and 11 rows. How many "
        "more or fewer red tiles are there than blue ones? Give the red ones minus the blue ones.",
        number(red - blue),
        ("Look at the colour of each tile", "Count red and blue", "Subtract"),
        ("documents", "code_interpreter"),
        "png",
        png_file([[colours[name] for name in row] for row in names], 16),
    )


def wedding_guests(rng: random.Random) -> Made:
    names = ["Abel", "Bruna", "Carl", "Dunja", "Emil", "Farah", "Gita", "Henk", "Iva", "Jun"]
    table: list[tuple[object, ...]] = [("Guest", "Companions", "Meal", "Confirmed")]
    meals = 0
    for name in names:
        companions, meal = rng.randint(0, 3), rng.choice(["vegetarian", "fish", "meat"])
        confirmed = rng.random() < 0.7
        table.append((name, companions, meal, "yes" if confirmed else "no"))
        if confirmed and meal == "vegetarian":
            meals += 1 + companions
    parts = [
        "Companions eat what their guest eats, unless a note below says otherwise.",
        table,
        "# Notes",
        "Two vegetarian meals are ordered for the musicians on top of the guests' meals.",
        "Whoever has not confirmed gets no meal.",
    ]
    return Made(
        "wedding_guests",
        "How many vegetarian meals have to be ordered according to the attached document?",
        number(meals + 2),
        ("Keep confirmed vegetarians", "Count them with their companions", "Add the musicians'"),
        ("documents",),
        "docx",
        docx_file(parts, "Guest list"),
    )


def lake_recording(rng: random.Random) -> Made:
    length = rng.randint(31, 55)
    seconds = mp3_seconds(length)
    tags = {
        "TIT2": "Evening on the Lake",
        "TPE1": "Trio Halde",
        "TCOM": "Mira Lindqvist",
        "TALB": "Field Notes",
        "TYER": "1987",
        "TRCK": "4/9",
    }
    return Made(
        "lake_recording",
        "Who composed the attached recording, and how long is it in seconds, rounded to the "
        "nearest whole second? Answer with the composer's surname and the number, comma separated.",
        f"Lindqvist, {round(seconds)}",
        ("Read the composer in the file's tags", "Read the length and round it"),
        ("documents",),
        "mp3",
        mp3_file(length, tags),
    )


def sensor_events(rng: random.Random) -> Made:
    devices = [f"pump-{number:02d}" for number in range(1, 13)]
    kinds = ["overheat", "restart", "low-pressure", "ok"]
    lines = []
    counts: Counter[str] = Counter()
    for minute in range(600):
        device, kind = rng.choice(devices), rng.choice(kinds)
        acknowledged = rng.random() < 0.4
        lines.append({"t": minute * 60, "device": device, "kind": kind, "ack": acknowledged})
        if kind == "overheat" and not acknowledged:
            counts[device] += 1
    (first, most), (_, next_most) = counts.most_common(2)
    if most == next_most:
        return sensor_events(rng)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return Made(
        "sensor_events",
        "The attached log has one event a line. Which device has the most overheat events that "
        "were not acknowledged?",
        first,
        ("Keep overheat events with ack false", "Count by device", "Take the largest"),
        ("code_interpreter",),
        "jsonl",
        text.encode(),
    )


def distinct_primes(rng: random.Random) -> Made:
    low, high = 1000, 2000
    primes = [n for n in range(low, high) if all(n % d for d in range(2, int(n**0.5) + 1))]
    found = [n for n in primes if len(set(str(n))) == 4]
    return Made(
        "distinct_primes",
        f"How many prime numbers between {low} and {high} have four different digits?",
        number(len(found)),
        ("List the primes", "Keep those without a repeated digit", "Count"),
        ("code_interpreter",),
    )


def long_train(rng: random.Random) -> Made:
    metres, tunnel, kmh = 312, 1448, 132
    seconds = (metres + tunnel) / (kmh / 3.6)
    return Made(
        "long_train",
        f"A train that is {metres} m long drives at {kmh} km/h through a tunnel of {tunnel} m. For "
        "how many seconds is any part of the train in the tunnel? Give one decimal.",
        number(seconds, 1),
        ("Convert the speed to m/s", "Divide both lengths together by it", "Round"),
        ("calculator",),
    )


def backwards(rng: random.Random) -> Made:
    asked = (
        "Eight spiders and three beetles sit on a wall. Two of the spiders have lost one leg each. "
        "How many legs are on the wall? Answer with the number in digits."
    )
    return Made(
        "backwards",
        asked[::-1],
        number(8 * 8 + 3 * 6 - 2),
        ("Read the text from its end", "Eight legs a spider, six a beetle", "Subtract two"),
        ("calculator",),
    )


MAKERS: tuple[Maker, ...] = (
    orchard_ledger,
    museum_hours,
    swim_meet,
    red_tiles,
    wedding_guests,
    lake_recording,
    sensor_events,
    distinct_primes,
    long_train,
    backwards,
)
