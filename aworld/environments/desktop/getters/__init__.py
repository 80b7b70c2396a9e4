"""OSWorld's getters: what of the desktop, or of the task, a metric compares; one family a file."""
