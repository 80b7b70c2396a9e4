"""One provider a file: each has `PROVIDER`, and is found by its file's name.

A provider that speaks the OpenAI chat protocol is data (`Provider`); another protocol brings its
own `make`.
"""
