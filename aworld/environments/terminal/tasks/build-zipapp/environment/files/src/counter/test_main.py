"""A test, which is no part of the program."""

raise SystemExit("a test was run")
