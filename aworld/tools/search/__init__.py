"""Search: the run's own files through an index, the web through a provider, and single pages.

Every request to an address that a model chose passes `web_client.py`, which asks the run's list
of allowed hosts at each hop.
"""
