"""Exact checking of answers: one rule set a file, found by `registry`.

A scorer compares one answer with one truth and says why. It calls no model, gives no partial
credit where its rules have none, and never lets a near miss change the score. What needs sympy, or
could run for ever, runs in kept processes (`processes`). Imports `errors` only.
"""
