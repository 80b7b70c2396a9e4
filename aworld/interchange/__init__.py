"""Reading and writing runs as files: one format a file."""
