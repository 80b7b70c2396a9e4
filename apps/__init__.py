"""One Django app a thing: services write, selectors read, `api.py` speaks HTTP.

Imports go one way: runs > agents | tasks > accounts > shell > aworld; between apps only through
services and selectors, and through what `shell` offers to all (refusals, responses, search).
"""
