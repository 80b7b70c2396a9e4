"""The Django project: settings, routing, processes. No domain code."""
