"""Runs as the browser sees them. They live in the store of `aworld.storage`: no Django model here."""
