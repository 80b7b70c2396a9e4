"""Level 2: about five to ten steps, often with more than one tool."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
from collections import deque
from collections.abc import Sequence

from examples.gaia_tasks.files import (
    Row,
    csv_file,
    docx_file,
    pdf_file,
    png_file,
    pptx_file,
    xlsx_file,
    zip_file,
)
from examples.gaia_tasks.made import Made, Maker, number
from examples.gaia_tasks.programs import PIPELINE, run_pipeline


def invoices_abroad(rng: random.Random) -> Made:
    regions = {f"C{n:03d}": rng.choice(["North", "South", "East"]) for n in range(1, 31)}
    rates = {"EUR": 1.0, "SEK": 0.0871, "CHF": 1.0634, "PLN": 0.2337}
    invoices = []
    total = 0.0
    for index in range(140):
        customer, currency = rng.choice(list(regions)), rng.choice(list(rates))
        amount = _amount(rng, rates[currency])
        state = rng.choice(["paid", "paid", "open", "cancelled"])
        invoices.append((f"R{index:04d}", customer, amount, currency, state))
        if regions[customer] == "North" and state != "cancelled":
            total += round(amount * rates[currency], 2)
    sheets: dict[str, list[Row]] = {
        "Invoices": [("invoice", "customer", "amount", "currency", "state"), *invoices],
        "Customers": [("customer", "region"), *regions.items()],
        "Rates": [("currency", "EUR for one"), *rates.items()],
    }
    return Made(
        "invoices_abroad",
        "In the attached workbook, what is the total in EUR of all invoices to customers of the "
        "region North that were not cancelled? Convert each invoice by the sheet Rates, round it "
        "to cents, then add. Give two decimals.",
        number(total, 2),
        ("Read three sheets", "Find the customers of North", "Convert, round, add"),
        ("documents", "code_interpreter"),
        "xlsx",
        xlsx_file(sheets),
    )


def _amount(rng: random.Random, rate: float) -> float:
    """An amount whose conversion is far from half a cent, so that every way of rounding agrees."""
    while True:
        amount = round(rng.uniform(40, 2_500), 2)
        if abs(amount * rate * 100 % 1 - 0.5) > 0.01:
            return amount


def ferry_connection(rng: random.Random) -> Made:
    def clock(minutes: int) -> str:
        return f"{minutes // 60:02d}:{minutes % 60:02d}"

    first = sorted(rng.sample(range(8 * 60, 14 * 60, 7), 9))
    second = sorted(rng.sample(range(9 * 60, 17 * 60, 11), 9))
    legs = [(start, start + rng.choice([52, 58, 71])) for start in first]
    onward = [(start, start + rng.choice([33, 47])) for start in second]
    best = min(
        arrives
        for (leaves, lands), (starts, arrives) in itertools.product(legs, onward)
        if leaves >= 10 * 60 + 30 and starts >= lands + 15
    )
    pages: list[list[str | Sequence[Row]]] = [
        [
            "Ferry 1, Alder Point to Brisk Island",
            [("Departs", "Arrives"), *((clock(a), clock(b)) for a, b in legs)],
        ],
        [
            "Ferry 2, Brisk Island to Cormorant Bay",
            [("Departs", "Arrives"), *((clock(a), clock(b)) for a, b in onward)],
        ],
        ["Passengers who change ferries need at least 15 minutes on Brisk Island."],
    ]
    return Made(
        "ferry_connection",
        "With the attached timetable, what is the earliest time at which someone who reaches Alder "
        "Point at 10:30 can be at Cormorant Bay? Mind the time for changing. Answer as HH:MM.",
        clock(best),
        ("Read both tables and the rule", "Find each connection after 10:30", "Take the earliest"),
        ("documents", "code_interpreter"),
        "pdf",
        pdf_file(pages, "Ferries in summer"),
    )


def rain_by_month(rng: random.Random) -> Made:
    months = (
        *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
        *("October", "November", "December"),
    )
    members: dict[str, bytes] = {}
    wet: dict[str, int] = {}
    for index, month in enumerate(months, start=1):
        days = (dt.date(2023 + index // 12, index % 12 + 1, 1) - dt.date(2023, index, 1)).days
        rain = [round(max(0.0, rng.gauss(4, 7)), 1) for _ in range(days)]
        rows = [(f"2023-{index:02d}-{day:02d}", mm) for day, mm in enumerate(rain, start=1)]
        folder = "first_half" if index <= 6 else "second_half"
        members[f"{folder}/{index:02d}.csv"] = csv_file([("date", "mm"), *rows])
        wet[month] = sum(mm > 10 for mm in rain)
    top = sorted(wet.values())[-2:]
    if top[0] == top[1]:
        return rain_by_month(rng)
    return Made(
        "rain_by_month",
        "The attached archive has the daily rainfall of 2023 in millimetres, a file a month. In "
        "which month were there the most days with more than 10 mm? Give the month's English name.",
        max(wet, key=lambda month: wet[month]),
        ("Unpack the archive", "Count days above 10 mm in each file", "Take the largest"),
        ("code_interpreter",),
        "zip",
        zip_file(members),
    )


def board_minutes(rng: random.Random) -> Made:
    people = ["Aino", "Bashir", "Celeste", "Dmitri", "Edda"]
    hours = {person: 0 for person in people}
    actions: list[tuple[object, ...]] = [("No.", "Action", "Who", "Hours")]
    what = ["budget", "website", "lease", "survey", "newsletter", "audit", "fair", "archive"]
    owners: list[tuple[str, int]] = []
    for index, action in enumerate(what, start=1):
        person, effort = rng.choice(people), rng.randint(3, 20)
        owners.append((person, effort))
        actions.append((index, action, person, effort))
    given = rng.choice([name for name in people if name != owners[1][0]])
    owners[1] = (given, owners[1][1])
    owners[4] = (owners[4][0], owners[4][1] * 2)
    for index, (person, effort) in enumerate(owners):
        if index != 6:
            hours[person] += effort
    if sorted(hours.values())[-1] == sorted(hours.values())[-2]:
        return board_minutes(rng)
    top = max(hours, key=lambda person: hours[person])
    parts = [
        "# Actions decided",
        actions,
        "# Amendments",
        f"{given} takes over action 2. The hours of action 5 are doubled, for the newsletter gets "
        "a second issue. Action 7 is dropped.",
    ]
    return Made(
        "board_minutes",
        "After the amendments in the attached minutes, who has the most hours of work, and how "
        "many? Answer with the name and the number, comma separated.",
        f"{top}, {hours[top]}",
        ("Read the table", "Apply three amendments", "Add hours by person", "Take the largest"),
        ("documents", "calculator"),
        "docx",
        docx_file(parts, "Minutes of the board"),
    )


def quarterly_slides(rng: random.Random) -> Made:
    products = ["Lanterns", "Kettles", "Rugs", "Clocks", "Stools"]
    slides: list[tuple[str, list[str], str]] = [("Annual review", ["Sales by quarter"], "")]
    growth: dict[str, float] = {}
    for product in products:
        sold = [rng.randint(120, 900) for _ in range(4)]
        correction = rng.randint(5, 60)
        lines = [f"Q{quarter}: {units} units" for quarter, units in enumerate(sold, start=1)]
        note = f"Say aloud: {correction} units of Q4 came back and are to be taken off."
        slides.append((product, lines, note))
        growth[product] = (sold[3] - correction - sold[0]) / sold[0] * 100
    best = max(growth, key=lambda product: growth[product])
    return Made(
        "quarterly_slides",
        "In the attached slides, which product grew most from the first to the fourth quarter, as "
        "a percentage, after what the speaker's notes take off, and by how many percent? Answer "
        "with the product and the number with one decimal and no percent sign, comma separated.",
        f"{best}, {number(growth[best], 1)}",
        ("Read the slides and their notes", "Correct Q4", "Work out each growth", "Compare"),
        ("documents", "calculator"),
        "pptx",
        pptx_file(slides),
    )


def picture_maze(rng: random.Random) -> Made:
    size = 21
    wall, floor, start, goal = (20, 20, 20), (240, 240, 240), (0, 160, 60), (210, 30, 30)
    open_cells = {(1, 1)}
    stack = [(1, 1)]
    while stack:
        x, y = stack[-1]
        steps = [(2, 0), (-2, 0), (0, 2), (0, -2)]
        free = [
            (dx, dy)
            for dx, dy in steps
            if 0 < x + dx < size - 1 and 0 < y + dy < size - 1
            if (x + dx, y + dy) not in open_cells
        ]
        if not free:
            stack.pop()
            continue
        dx, dy = rng.choice(free)
        open_cells |= {(x + dx // 2, y + dy // 2), (x + dx, y + dy)}
        stack.append((x + dx, y + dy))
    inner = [(x, y) for x in range(2, size - 2) for y in range(2, size - 2)]
    open_cells |= set(rng.sample(inner, 25))
    end = (size - 2, size - 2)
    distance = _steps(open_cells, (1, 1), end)
    rows = [[floor if (x, y) in open_cells else wall for x in range(size)] for y in range(size)]
    rows[1][1], rows[end[1]][end[0]] = start, goal
    return Made(
        "picture_maze",
        "The attached picture is a maze of 21 by 21 squares. How many steps does the shortest way "
        "from the green square to the red one take, if each step goes to a square above, below, "
        "left or right and black squares are walls?",
        number(distance),
        ("Read the squares' colours", "Search breadth first", "Count the steps"),
        ("code_interpreter",),
        "png",
        png_file(rows, 12),
    )


def _steps(cells: set[tuple[int, int]], start: tuple[int, int], end: tuple[int, int]) -> int:
    far = {start: 0}
    queue = deque([start])
    while queue:
        x, y = queue.popleft()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in cells and near not in far:
                far[near] = far[(x, y)] + 1
                queue.append(near)
    return far[end]


def small_program(rng: random.Random) -> Made:
    return Made(
        "small_program",
        "What is the last number that the attached Python program prints?",
        number(run_pipeline()[-1]),
        ("Read or run the program", "Take its last line"),
        ("code_interpreter",),
        "py",
        PIPELINE.encode(),
    )


def helix_atoms(rng: random.Random) -> Made:
    residues = ["ALA", "LEU", "GLU", "LYS", "GLY", "SER", "VAL", "THR"]
    lines = ["HEADER    MODEL PEPTIDE, MADE FOR AN EXERCISE"]
    places: dict[tuple[str, int], tuple[float, float, float]] = {}
    serial = 0
    for chain, offset in (("A", 0.0), ("B", 14.5)):
        for index in range(1, 25):
            residue = rng.choice(residues)
            for atom, radius, lift in ((" N  ", 1.5, -0.8), (" CA ", 2.3, 0.0), (" C  ", 1.7, 0.9)):
                angle = math.radians(100 * index + 28 * lift)
                x = round(offset + radius * math.cos(angle) + rng.uniform(-0.1, 0.1), 3)
                y = round(radius * math.sin(angle) + rng.uniform(-0.1, 0.1), 3)
                z = round(1.5 * index + lift, 3)
                serial += 1
                lines.append(
                    f"ATOM  {serial:5d} {atom} {residue} {chain}{index:4d}    "
                    f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00 20.00           {atom.strip()[0]}"
                )
                if atom == " CA ":
                    places[(chain, index)] = (x, y, z)
        lines.append("TER")
    lines.append("END")
    distance = math.dist(places[("B", 3)], places[("B", 19)])
    return Made(
        "helix_atoms",
        "In the attached file in PDB format, how far apart are the CA atoms of residues 3 and 19 "
        "of chain B? Give the distance in picometres, rounded to the nearest whole number.",
        number(distance * 100),
        ("Find both atoms", "Compute their distance in ångström", "Convert to picometres"),
        ("files", "code_interpreter"),
        "pdb",
        ("\n".join(lines) + "\n").encode(),
    )


def frost_nights(rng: random.Random) -> Made:
    start = dt.datetime(2024, 11, 1, tzinfo=dt.UTC)
    rows: list[tuple[str, str]] = []
    best, run, best_start, run_start = 0, 0, start, start
    temperature = 3.0
    for hour in range(120 * 24):
        moment = start + dt.timedelta(hours=hour)
        temperature = 0.93 * temperature + rng.gauss(0.1, 1.6)
        shown = round(temperature, 1)
        rows.append((moment.strftime("%Y-%m-%d %H:%M"), f"{shown:.1f}"))
        if shown < 0:
            run_start = run_start if run else moment
            run += 1
            if run > best:
                best, best_start = run, run_start
        else:
            run = 0
    return Made(
        "frost_nights",
        "The attached file has a temperature in degrees Celsius for each hour. On which date did "
        "the longest unbroken run of hours below zero begin, and how many hours did it last? "
        "Answer with the date as YYYY-MM-DD and the number, comma separated.",
        f"{best_start:%Y-%m-%d}, {best}",
        ("Read 2880 rows", "Find runs below zero", "Take the longest and where it begins"),
        ("code_interpreter",),
        "csv",
        csv_file([("time", "celsius"), *rows]),
    )


def five_cabins(rng: random.Random) -> Made:
    people = ("Ada", "Ben", "Cleo", "Dov", "Eli")
    orders = [
        order
        for order in itertools.permutations(people)
        if order.index("Ada") + 1 == order.index("Eli")
        and abs(order.index("Ben") - order.index("Cleo")) == 2
        and order.index("Ada") not in (0, 4)
        and order.index("Dov") < order.index("Ben")
        and order.index("Cleo") < order.index("Dov")
    ]
    if len(orders) != 1:
        raise ValueError(f"The puzzle of the cabins has {len(orders)} solutions, not one.")
    return Made(
        "five_cabins",
        "Five cabins stand in a row from west to east; Ada, Ben, Cleo, Dov and Eli live in one "
        "each. Eli lives directly east of Ada. Exactly one cabin lies between Ben's and Cleo's. "
        "Ada's cabin is at neither end. Dov lives west of Ben and east of Cleo. Who lives "
        "where? Answer with the five names from west to east, comma separated.",
        ", ".join(orders[0]),
        ("Write the rules down", "Try all 120 orders", "One is left"),
        ("code_interpreter", "logic_check"),
    )


MAKERS: tuple[Maker, ...] = (
    invoices_abroad,
    ferry_connection,
    rain_by_month,
    board_minutes,
    quarterly_slides,
    picture_maze,
    small_program,
    helix_atoms,
    frost_nights,
    five_cabins,
)
