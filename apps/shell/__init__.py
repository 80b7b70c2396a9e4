"""The ground under the other apps: session, set-up, pages, search. Imports none of them."""
