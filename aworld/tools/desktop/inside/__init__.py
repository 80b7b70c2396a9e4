"""Runs behind the sandbox's door, on the system's own Python, with nothing but its standard
library and `gi`: no other file of this package is there."""
