"""Processes that compare what could hang a thread: their pool, their loop, one kind a file."""
