"""The event: the one record of everything that happens in a run.

One family of kinds a file; `union.py` is the only place that encodes and decodes. Nothing here
imports another part of the library except errors.
"""
