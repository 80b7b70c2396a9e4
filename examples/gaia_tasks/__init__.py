"""Makes the suite `gaia-own`: 30 questions in GAIA's format, with their attachments and answers.

Run `python -m examples.gaia_tasks.make`. Everything is seeded; each answer is computed from the
data that its attachment is made of. Tests solve the attachments again through the real tools.
"""
