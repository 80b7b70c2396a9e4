"""OSWorld's metrics, written anew from what its tasks give and expect; one family a file.

They read files that a model had its hands on, so they run in the sandbox of their own
(`grading.py`), where of this package nothing but this folder is there.
"""
