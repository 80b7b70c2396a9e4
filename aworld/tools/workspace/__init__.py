"""A run's folder: files opened so that nothing outside it can be reached."""
