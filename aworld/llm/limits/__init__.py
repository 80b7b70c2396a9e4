"""How much may go over a model connection: calls and tokens a minute, calls at once, USD a day.

`rules.py` says what can be limited, a book (`memory.py`, `redis.py`) counts, and `gate.py` lets
each attempt in or has it wait. May import aworld.errors, aworld.config and the rest of aworld.llm.
"""
