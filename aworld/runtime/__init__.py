"""What drives a run: nodes as state machines, the one gate for effects, the supervisor, replay.

Knows no agent: it drives anything that keeps the `Node` protocol. May import environments, tools,
models, storage, bus and events; agents and what lies above import it.
"""
