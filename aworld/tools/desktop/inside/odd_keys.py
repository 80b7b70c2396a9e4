"""Keys for characters that no keyboard has.

xdotool borrows a key for each such character and takes it back after some milliseconds, before a
busy program has read it, which then reads the next one's. So spare keys are given these characters
beforehand and keep them.
"""

from __future__ import annotations

import shutil
import subprocess
import time

_FIRST_SPARE = 150
"""Keys before it may be modifiers or be meant for a laptop."""
_SPREAD_S = 0.3
"""What programs are given to read the new layout."""


class OddKeys:
    """Which character lies on which spare key of one X server."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._keys: dict[str, int] = {}
        self._spare: list[int] | None = None

    def lay(self, text: str) -> None:
        """Give each odd character of the text a key. Those that find none are left to xdotool."""
        wanted = [c for c in dict.fromkeys(text) if ord(c) > 0x7F and c not in self._keys]
        if not wanted or shutil.which("xmodmap") is None:
            return
        if self._spare is None:
            self._spare = self._unused()
        lines = []
        for character in wanted:
            if not self._spare:
                # The character that has had its key for longest gives it up.
                oldest = next((c for c in self._keys if c not in text), None)
                if oldest is None:
                    break
                self._spare.append(self._keys.pop(oldest))
            key = self._keys[character] = self._spare.pop(0)
            lines += ["-e", f"keycode {key} = U{ord(character):04X}"]
        self._xmodmap(*lines)
        time.sleep(_SPREAD_S)

    def _unused(self) -> list[int]:
        table = (line.split() for line in self._xmodmap("-pke").splitlines())
        empty = (int(words[1]) for words in table if len(words) == 3 and words[0] == "keycode")
        return [key for key in empty if key >= _FIRST_SPARE]

    def _xmodmap(self, *arguments: str) -> str:
        return subprocess.run(
            ["xmodmap", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self._environment,
            timeout=10,
            check=False,
        ).stdout.decode("utf-8", "replace")
