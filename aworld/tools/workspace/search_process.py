"""The process that searches with a regular expression: a request as JSON in, hits as JSON out.

Run as a script, with nothing but the standard library.
"""

import json
import re
import sys


def main() -> None:
    """Answer the one request."""
    pattern, texts, most, shown = json.load(sys.stdin)
    hits: list[str] = []
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        sys.stdout.write(json.dumps({"hits": [], "error": str(error)}))
        return
    for name, text in texts:
        for number, line in enumerate(text.splitlines(), 1):
            if compiled.search(line):
                hits.append(f"{name}:{number}: {line[:shown]}")
                if len(hits) >= most:
                    break
    sys.stdout.write(json.dumps({"hits": hits[:most], "error": ""}))


if __name__ == "__main__":
    main()
