"""A small encyclopedia of an invented country, for a question that needs several look-ups."""

from __future__ import annotations

import random

_STARTS = ("Kor", "Bel", "Tam", "Ulv", "Ser", "Mor", "Hal", "Dre", "Ost", "Vin", "Pel", "Gru")
_ENDS = ("vo", "mar", "sted", "rin", "dale")
_FIRST = ("Anika", "Boris", "Camille", "Doru", "Elin", "Fyodor", "Greet", "Hana", "Imre", "Jolan")
_LAST = ("Varga", "Olsen", "Pires", "Tamm", "Novak", "Haas", "Lind", "Costa", "Brandt", "Seker")
_WORKS = ("town hall", "library", "bridge", "theatre", "granary", "lighthouse")


def architect_articles(rng: random.Random) -> tuple[dict[str, str], str, int]:
    """`(articles by name, the birthplace, the year of its mill)`."""
    villages = [start + end for start in _STARTS for end in _ENDS]
    rng.shuffle(villages)
    villages.remove("Korvo")
    villages = villages[:30]
    people = [f"{first} {last}" for first, last in zip(_FIRST, _LAST, strict=True)]
    births = dict(zip(people, rng.sample(villages, len(people)), strict=True))
    mills = {village: rng.randint(1650, 1890) for village in villages}
    articles = {village: _village(rng, village, mills[village], villages) for village in villages}
    architect = rng.choice(people)
    for person in people:
        works = [f"the {work} at {rng.choice(villages)}" for work in rng.sample(_WORKS, 3)]
        articles[person.replace(" ", "_")] = (
            f"{person} was an architect. The family came from {births[person]}, where "
            f"{person.split()[0]} was born in {rng.randint(1830, 1899)}. Among the buildings are "
            f"{', '.join(works)}.\n"
        )
    other = rng.choice([person for person in people if person != architect])
    articles["Korvo"] = (
        "Korvo is the seat of the province. Its old observatory burnt down in 1871; that one had "
        f"been the work of {other}'s grandfather. The observatory of today was drawn by the "
        f"architect {architect} and opened in 1922. Korvo never had a mill.\n"
    )
    return dict(sorted(articles.items())), births[architect], mills[births[architect]]


def _village(rng: random.Random, name: str, mill: int, villages: list[str]) -> str:
    near = rng.choice([village for village in villages if village != name])
    church = rng.randint(1450, 1800)
    return (
        f"{name} is a village of {rng.randint(80, 2_900)} people, half a day on foot from {near}. "
        f"Its church was begun in {church} and finished in {church + rng.randint(8, 60)}. "
        f"The mill was begun in {mill - rng.randint(1, 6)} and finished in {mill}; the one of "
        f"{near} is older than anyone can tell.\n"
    )
