"""Arithmetic and logic as people and models write them: read, worked out exactly, written again.

Nothing here calls `eval`: `parser.py` makes a tree of a few kinds of nodes, and `arithmetic.py`
walks it with limits on size.
"""
