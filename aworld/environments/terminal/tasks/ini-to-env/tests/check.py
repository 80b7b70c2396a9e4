"""What a shell reads in the file."""

import re
from pathlib import Path

EXPECTED = [
    ("NAME", "shop"),
    ("WEB_SERVER_HOST", "0.0.0.0"),
    ("WEB_SERVER_PORT", "8080"),
    ("WEB_SERVER_URL_BASE", "http://x/?a=b"),
    ("WEB_SERVER_GREETING", "  it's open ; really "),
    ("DB_MAIN_PASS_WORD", "p'a'ss$HOME"),
    ("DB_MAIN_EMPTY", ""),
]
text = Path("/app/service.env").read_text()
found = [line.partition("=")[0] for line in text.splitlines()]
assert found == [name for name, _ in EXPECTED], f"the names are {found}"
read = Path("/collected/read").read_text().split("\0")[:-1]
assert read == [value for _, value in EXPECTED], f"a shell reads {read}"
print("The settings are right.")
