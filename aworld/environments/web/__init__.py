"""The web: pages and sites in a real browser, judged by what became of them."""

from aworld.environments.web.kind import KIND

__all__ = ["KIND"]
