"""The roles an agent can have, one a file. A new file with a `ROLE` is a new role."""
