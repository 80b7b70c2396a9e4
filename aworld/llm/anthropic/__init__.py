"""Anthropic's Messages API: `request.py` writes it, `reader.py` reads it, `dialect.py` offers both.

Its end point for OpenAI's protocol gives neither thinking nor the counts of its cache.
"""
