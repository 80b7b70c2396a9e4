"""Verdicts about a team's work: conflicts, duplicates, results that do not hold, weights.

What belongs here: pure functions of texts and numbers, without a model, a clock or chance, each
with its evidence; one detector a file. A coordinator in `agents/` asks them and publishes what they
find. Nothing here calls an agent, and nothing imports `agents`. Imports: `runtime` and below.
"""
