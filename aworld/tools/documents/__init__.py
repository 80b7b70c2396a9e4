"""Documents of every usual kind, read and written in a process of their own.

`formats/` and `writing/` run in that process and import nothing of the product but each other;
`reader.py`, `actions.py` and `transcription.py` run in the worker. A hostile file can harm a
process that has no network, no files and little memory.
"""
