"""Words of a text."""

import re


def words(text):
    """All of them."""
    return re.findall(r"\w+", text)
