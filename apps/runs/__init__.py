"""Runs as the browser sees them. They live in `aworld.storage`: no Django model here."""
