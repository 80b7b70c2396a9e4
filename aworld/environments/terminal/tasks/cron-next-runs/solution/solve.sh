#!/bin/bash
set -euo pipefail
cat > /tmp/cron.py <<'EOF'
from datetime import datetime, timedelta
from pathlib import Path

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "sun mon tue wed thu fri sat".split()
FIELDS = ((0, 59, ()), (0, 23, ()), (1, 31, ()), (1, 12, MONTHS), (0, 7, DAYS))
SHORT = {"@daily": "0 0 * * *", "@hourly": "0 * * * *"}

def value(text, low, high, names):
    if text.lower() in names:
        return names.index(text.lower()) + (1 if names is MONTHS else 0)
    number = int(text)
    if not low <= number <= high:
        raise ValueError(text)
    return number

def field(text, low, high, names):
    found = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, last = low, high
        if span != "*":
            start, dash, end = span.partition("-")
            first = value(start, low, high, names)
            last = value(end, low, high, names) if dash else (high if step else first)
        if first > last or (step and int(step) < 1):
            raise ValueError(part)
        found |= set(range(first, last + 1, int(step or 1)))
    return found

def next_run(fields, after):
    minutes, hours, days, months, weekdays = [field(t, *f) for t, f in zip(fields, FIELDS)]
    weekdays = {day % 7 for day in weekdays}
    either = not fields[2].startswith("*") and not fields[4].startswith("*")
    at = after + timedelta(minutes=1)
    day = at.replace(hour=0, minute=0)
    for _ in range(366 * 9):
        by_date, by_week = day.day in days, day.isoweekday() % 7 in weekdays
        if day.month in months and ((by_date or by_week) if either else (by_date and by_week)):
            for hour in sorted(hours):
                for minute in sorted(minutes):
                    moment = day.replace(hour=hour, minute=minute)
                    if moment >= at:
                        return moment.strftime("%Y-%m-%dT%H:%M")
        day += timedelta(days=1)
    return "never"

lines = []
for number, line in enumerate(Path("/app/crontab").read_text().splitlines(), 1):
    if not line.strip() or line.startswith("#"):
        continue
    first, _, rest = line.partition(" ")
    if first in SHORT:
        line = f"{SHORT[first]} {rest}"
    parts = line.split(None, 5)
    try:
        if len(parts) < 6:
            raise ValueError(line)
        lines.append(f"{number} {next_run(parts[:5], datetime(2027, 2, 28, 23, 30))} {parts[5]}")
    except ValueError:
        lines.append(f"{number} invalid")
Path("/app/next.txt").write_text("\n".join(lines) + "\n")
EOF
python3 /tmp/cron.py
