"""The ground under the other apps: session, set-up, pages, search, refusals. Imports none of them."""
