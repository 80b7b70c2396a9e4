"""A browser that agents drive: one Chromium a worker, shut in, with one context for each run.

What a page reaches goes through a proxy of ours (`proxy`, `hosts`), which is its only way out.
Playwright and Chromium are loaded at the first call.
"""
