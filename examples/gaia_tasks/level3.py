"""Level 3: many steps over several files, or a search that has to be programmed."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import random
from collections import deque

from examples.gaia_tasks.articles import architect_articles
from examples.gaia_tasks.files import (
    csv_file,
    docx_file,
    mp3_file,
    mp3_seconds,
    pdf_file,
    png_file,
    pptx_file,
    xlsx_file,
    zip_file,
)
from examples.gaia_tasks.made import Made, Maker, number
from examples.gaia_tasks.programs import DISCOUNT


def contract_total(rng: random.Random) -> Made:
    goods = {"cable": 12.5, "switch": 84.0, "rack": 310.0, "lamp": 27.5, "drill": 149.0}
    rows = []
    sums = 0.0
    exempt = {f"O{n:03d}" for n in rng.sample(range(1, 61), 6)}
    for index in range(1, 61):
        order, item, pieces = f"O{index:03d}", rng.choice(list(goods)), rng.randint(1, 24)
        rows.append((order, item, pieces))
        price = goods[item] * pieces
        if order not in exempt:
            price *= 0.88 if pieces >= 12 else 0.96 if pieces >= 6 else 1
        sums += price
    contract = [
        "# 3 Rebates",
        "Orders of 6 to 11 pieces get 4 % off, orders of 12 pieces or more get 12 % off.",
        "# 4 Exceptions",
        "Orders named in exceptions.txt get no rebate.",
        "# 5 Delivery",
        "Each started 1,000 EUR of the rebated total cost 15 EUR of delivery on top.",
        [("Item", "EUR a piece"), *goods.items()],
    ]
    delivery = -(-round(sums * 100) // 100_000) * 15
    members = {
        "contract.docx": docx_file(contract, "Framework contract"),
        "orders.csv": csv_file([("order", "item", "pieces"), *rows]),
        "exceptions.txt": ("No rebate for:\n" + "\n".join(sorted(exempt)) + "\n").encode(),
    }
    return Made(
        "contract_total",
        "The attached archive has a contract, the orders under it and a list of exceptions. How "
        "much is to be paid for all orders together, delivery included, in EUR with two decimals?",
        number(sums + delivery, 2),
        ("Unpack", "Read prices and rules", "Rebate each order", "Add", "Work out delivery"),
        ("documents", "files", "code_interpreter"),
        "zip",
        zip_file(members),
    )


def coloured_plots(rng: random.Random) -> Made:
    size = 15
    blocked = {(x, y) for x in range(size) for y in range(size) if rng.random() < 0.27}
    start, end = (0, 0), (size - 1, size - 1)
    blocked -= {start, end}
    turns = _fewest_turns(size, blocked, start, end)
    if turns is None or turns < 4:
        return coloured_plots(rng)
    fills = {_cell(x, y): "C00000" if (x, y) in blocked else "92D050" for x, y in _grid(size)}
    values = [["" for _ in range(size)] for _ in range(size)]
    values[0][0], values[-1][-1] = "START", "END"
    return Made(
        "coloured_plots",
        "Each cell of the attached spreadsheet is a field, 15 rows of 15; red fields are flooded. "
        "A tractor drives from START to END over fields that are not flooded, in straight lines "
        "along rows and columns. What is the smallest number of turns it must make? A turn is a "
        "change from driving along a row to driving along a column or the other way round.",
        number(turns),
        ("Read the fill colour of 225 cells", "Search over place and direction", "Count turns"),
        ("code_interpreter",),
        "xlsx",
        xlsx_file({"Fields": values}, {"Fields": fills}),
    )


def _grid(size: int) -> list[tuple[int, int]]:
    return [(x, y) for y in range(size) for x in range(size)]


def _cell(x: int, y: int) -> str:
    return f"{chr(ord('A') + x)}{y + 1}"


def _fewest_turns(
    size: int, blocked: set[tuple[int, int]], start: tuple[int, int], end: tuple[int, int]
) -> int | None:
    """Breadth first by turns: 0-1 search over place and direction."""
    queue = deque((0, start, along) for along in (0, 1))
    done: set[tuple[tuple[int, int], int]] = set()
    while queue:
        turns, (x, y), along = queue.popleft()
        if ((x, y), along) in done:
            continue
        done.add(((x, y), along))
        if (x, y) == end:
            return turns
        queue.append((turns + 1, (x, y), 1 - along))
        for step in (1, -1):
            near = (x + step, y) if along == 0 else (x, y + step)
            if all(0 <= value < size for value in near) and near not in blocked:
                queue.appendleft((turns, near, along))
    return None


def ciphered_page(rng: random.Random) -> Made:
    key, word = "LANTERN", "PERIWINKLE"
    plain = f"THE FLOWER ON THE THIRD PAGE IS CALLED {word} AND NOT IVY"
    shifts = itertools.cycle(ord(letter) - ord("A") for letter in key)
    secret = "".join(
        chr((ord(letter) - ord("A") + next(shifts)) % 26 + ord("A")) if letter != " " else " "
        for letter in plain
    )
    heads = ["Landscapes", "Animals", "Night", "Tides", "Earth", "Rivers", "Numbers"]
    pages = [
        [f"<b>Chapter {index}: {head}</b>", f"Notes on {head.lower()} follow elsewhere."]
        for index, head in enumerate(heads, start=1)
    ]
    pages.append(
        ["Appendix. Vigenère, spaces are left as they are and use no letter of the key:", secret]
    )
    return Made(
        "ciphered_page",
        "The appendix of the attached document holds a ciphered sentence. The key is made of the "
        "first letters of the chapters' titles, in order. Which flower does the sentence say is "
        "right?",
        word.lower(),
        ("Read the titles", "Make the key", "Decipher", "Read the sentence"),
        ("documents", "code_interpreter"),
        "pdf",
        pdf_file(pages, "A sketchbook"),
    )


def tape_archive(rng: random.Random) -> Made:
    born = {"Ekdahl": 1871, "Moro": 1903, "Tanaka": 1888, "Voss": 1919, "Ferrand": 1895}
    members: dict[str, bytes] = {}
    order: list[str] = []
    chosen: list[str] = []
    seconds = 0.0
    names = ["Reeds", "Gravel", "Foghorn", "Attic", "Sleet", "Quarry"]
    for index, title in enumerate(names):
        composer = rng.choice(list(born))
        length = rng.randint(4, 14)
        name = f"tape_{rng.randint(100, 999)}_{index}.mp3"
        members[f"audio/{name}"] = mp3_file(length, {"TIT2": title, "TCOM": composer})
        order.append(name)
        if born[composer] < 1900:
            chosen.append(title)
            seconds += mp3_seconds(length)
    shuffled = order[:]
    rng.shuffle(shuffled)
    titles = dict(
        zip(order, ["Reeds", "Gravel", "Foghorn", "Attic", "Sleet", "Quarry"], strict=True)
    )
    members["programme.m3u"] = ("#EXTM3U\n" + "\n".join(f"audio/{n}" for n in shuffled)).encode()
    members["composers.csv"] = csv_file([("surname", "born"), *born.items()])
    played = [titles[name] for name in shuffled if titles[name] in chosen]
    return Made(
        "tape_archive",
        "The attached archive has recordings, a programme that says in which order they are "
        "played, and the years in which the composers were born. List the titles, in the order of "
        "the programme, of the recordings whose composer was born before 1900; then the total "
        "length of these in seconds, rounded to a whole number. Comma separated.",
        ", ".join([*played, str(round(seconds))]),
        ("Unpack", "Read tags and lengths", "Join with the years", "Order by the programme"),
        ("documents", "code_interpreter"),
        "zip",
        zip_file(members),
    )


def village_architect(rng: random.Random) -> Made:
    articles, village, year = architect_articles(rng)
    return Made(
        "village_architect",
        "The attached archive is a small encyclopedia of an invented country. In which year was "
        "the mill of the village finished in which the architect of the observatory at Korvo was "
        "born?",
        number(year),
        ("Find the observatory's architect", f"Find her birthplace ({village})", "Find its mill"),
        ("search", "files"),
        "zip",
        zip_file({f"articles/{name}.txt": text.encode() for name, text in articles.items()}),
    )


def pixel_message(rng: random.Random) -> Made:
    word = "HARVEST"
    width, height = 24, 16
    rows = [
        [(rng.randrange(256), rng.randrange(256), rng.randrange(256)) for _ in range(width)]
        for _ in range(height)
    ]
    for index, letter in enumerate(word):
        x, y = (3 + 5 * index) % width, (2 + 3 * index) % height
        red, _, blue = rows[y][x]
        rows[y][x] = (red, ord(letter), blue)
    rule = (
        "Letter n (from 0) is the green value, as ASCII, of the square in column (3 + 5n) mod 24 "
        "and row (2 + 3n) mod 16, both counted from 0 at the top left. There are 7 letters."
    )
    return Made(
        "pixel_message",
        "The attached picture is made of squares of 8 by 8 pixels, and its metadata say how to "
        "read a word out of it. Which word is it?",
        word.lower(),
        ("Read the picture's text metadata", "Apply the rule to seven squares", "Join letters"),
        ("documents", "code_interpreter"),
        "png",
        png_file(rows, 8, {"Comment": rule}),
    )


def warehouse_robots(rng: random.Random) -> Made:
    names = ["Bolt", "Cog", "Dash"]
    turns = {"L": 1, "R": -1}
    place = {name: (0, 0) for name in names}
    facing = {name: index for index, name in enumerate(names)}
    ways = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    skipped: dict[str, int] = {name: 0 for name in names}
    place["Cog"], place["Dash"] = (5, 5), (-5, 5)
    lines = []
    for tick in range(400):
        name, order = rng.choice(names), rng.choice("LRFFF")
        lines.append({"tick": tick, "robot": name, "order": order})
        if order in turns:
            facing[name] = (facing[name] + turns[order]) % 4
            continue
        dx, dy = ways[facing[name]]
        target = (place[name][0] + dx, place[name][1] + dy)
        if target in place.values():
            skipped[name] += 1
        else:
            place[name] = target
    answer = ", ".join(str(value) for name in names for value in place[name])
    return Made(
        "warehouse_robots",
        "Three robots get the orders of the attached file, a line each, in the order of the "
        "lines. At the start Bolt is at (0, 0) and faces east, Cog at (5, 5) facing north, Dash "
        "at (-5, 5) facing west; x grows to the east and y to the north. L and R turn a robot by "
        "90 degrees to its left or right; F moves it one step ahead, unless another robot stands "
        "there, in which case the order is skipped. Where do they end? Answer with x and y of "
        "Bolt, Cog and Dash: six numbers, comma separated.",
        answer,
        ("Write a simulation", "Mind the skipped orders", "Run 400 orders"),
        ("code_interpreter",),
        "jsonl",
        "".join(json.dumps(line) + "\n" for line in lines).encode(),
    )


def repaired_program(rng: random.Random) -> Made:
    rows = [
        (f"N{n}", rng.randint(1, 30), f"{rng.randint(100, 9_000) / 100:.2f}") for n in range(80)
    ]
    total = 0
    for _, pieces, price in rows:
        cents = pieces * round(float(price) * 100)
        # In cents, so that no half a cent is rounded in two ways.
        total += (cents * 9 + 5) // 10 if pieces >= 10 else cents
    if any(
        pieces >= 10 and pieces * round(float(price) * 100) * 9 % 10 == 5
        for _, pieces, price in rows
    ):
        return repaired_program(rng)
    readme = (
        "Two faults are known in total.py:\n"
        "1. The rebate is meant for 10 pieces or more, not for more than 10.\n"
        "2. The first order is left out of the sum.\n"
    )
    members = {
        "total.py": DISCOUNT.encode(),
        "orders.csv": csv_file([("order", "pieces", "price"), *rows]),
        "README.txt": readme.encode(),
    }
    return Made(
        "repaired_program",
        "The README in the attached archive names two faults of the program beside it. What does "
        "the program print once both are put right?",
        f"{total // 100}.{total % 100:02d}",
        ("Unpack", "Read the README", "Repair two lines", "Run the program"),
        ("files", "code_interpreter"),
        "zip",
        zip_file(members),
    )


def budget_gap(rng: random.Random) -> Made:
    teams = ["Garden", "Kitchen", "Library", "Workshop"]
    planned = {team: rng.randint(20, 90) * 100 for team in teams}
    spent = [(rng.choice(teams), rng.randint(50, 900)) for _ in range(90)]
    moved = rng.randint(3, 9) * 100
    slides = [(team, [f"Budget 2025: {planned[team]} EUR"], "") for team in teams]
    slides.append(("Change", ["See the letter of 4 March"], ""))
    letter = [[f"From the budget of Kitchen {moved} EUR are moved to that of Workshop."]]
    budget = dict(planned)
    budget["Kitchen"] -= moved
    budget["Workshop"] += moved
    left = {
        team: budget[team] - sum(cost for name, cost in spent if name == team) for team in teams
    }
    worst = min(left, key=lambda team: left[team])
    if left[worst] >= 0 or sorted(left.values())[0] == sorted(left.values())[1]:
        return budget_gap(rng)
    members = {
        "budget.pptx": pptx_file(slides),
        "letter.pdf": pdf_file(letter, "4 March 2025"),
        "spending.xlsx": xlsx_file({"Spending": [("team", "EUR"), *spent]}),
    }
    return Made(
        "budget_gap",
        "The attached archive has the budgets of four teams on slides, a letter that changes "
        "them, and what was spent. Which team overspent its changed budget most, and by how many "
        "EUR? Answer with the team and the number, comma separated.",
        f"{worst}, {-left[worst]}",
        ("Unpack", "Read slides, letter and spreadsheet", "Apply the change", "Add and compare"),
        ("documents", "code_interpreter"),
        "zip",
        zip_file(members),
    )


def odd_fridays(rng: random.Random) -> Made:
    def is_square(value: int) -> bool:
        return int(value**0.5 + 0.5) ** 2 == value

    first = dt.date(2000, 1, 1)
    days = (first + dt.timedelta(days=offset) for offset in range(365 * 60))
    found = [
        day
        for day in days
        if day.weekday() == 4 and is_square(day.timetuple().tm_yday)
        if is_square(day.day + day.month)
        if sum(map(int, f"{day:%Y%m%d}")) in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
    ][:3]
    return Made(
        "odd_fridays",
        "A Friday is called odd if the number of the day in its year (1 January is 1) and the sum "
        "of its day and month are perfect squares, and the sum of all digits of its date, written "
        "as YYYYMMDD, is prime. What are the first three odd Fridays from 1 January 2000 "
        "on? Answer with three dates as YYYY-MM-DD, comma separated, the earliest first.",
        ", ".join(f"{day:%Y-%m-%d}" for day in found),
        ("Go through all Fridays", "Check three sums", "Take the first three"),
        ("code_interpreter",),
    )


MAKERS: tuple[Maker, ...] = (
    contract_total,
    coloured_plots,
    ciphered_page,
    tape_archive,
    village_architect,
    pixel_message,
    warehouse_robots,
    repaired_program,
    budget_gap,
    odd_fridays,
)
