"""Commands that start processes: `up`, `worker`, `doctor`, `setup-training`.

One command a file, found through the entry points `aworld.commands` of pyproject.toml.
"""
