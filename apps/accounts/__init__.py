"""People: logging in and out, and the one-time link of a local installation."""
