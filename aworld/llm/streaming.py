"""A streamed answer: pieces of bytes in, pieces of text out, a completion at the end."""

from __future__ import annotations

import time

import msgspec

from aworld.errors import ProviderError
from aworld.llm.base import Completion
from aworld.llm.dialect import Reader
from aworld.llm.failures import ProviderUnavailable
from aworld.llm.sse import SseDecoder

MOST_BYTES = 32 * 1024 * 1024
"""Of one answer; a stream that never ends must not fill the memory before its time is up."""
_DONE = b"[DONE]"


class StreamedAnswer:
    """Reads one answer as it arrives."""

    def __init__(self, reader: Reader) -> None:
        self._started = time.monotonic_ns()
        self._first_token_us: int | None = None
        self._decoder = SseDecoder()
        self._reader = reader
        self._plain = bytearray()
        self._events = 0
        self._size = 0
        self._done = False

    def feed(self, piece: bytes) -> list[str]:
        """The new pieces of text.

        Raises:
            ProviderError: the provider reports an error in the middle, or does not come to an end.
        """
        self._size += len(piece)
        if self._size > MOST_BYTES:
            raise ProviderError(
                f"The provider's answer is larger than {MOST_BYTES} bytes and was broken off. "
                "Check the base URL, or set max_tokens."
            )
        if not self._events:
            self._plain += piece
        return self._read(self._decoder.feed(piece))

    def close(self) -> list[str]:
        """The last pieces, once the stream is at its end.

        Raises:
            ProviderUnavailable: it ended before the answer did.
        """
        last = self._read(self._decoder.close())
        if not self._events and self._plain.strip():
            # The server does not stream: it sent one whole answer.
            last = self._read([bytes(self._plain)])
            self._done = True
        if not self._done and not self._reader.finished:
            raise ProviderUnavailable("The provider's stream ended in the middle of the answer.")
        return last

    def completion(self) -> Completion:
        """What was said."""
        return msgspec.structs.replace(
            self._reader.completion(), first_token_us=self._first_token_us
        )

    def _read(self, events: list[bytes]) -> list[str]:
        texts: list[str] = []
        for data in events:
            self._events += 1
            if self._done or data == _DONE:
                self._done = True
                continue
            text = self._reader.add(data)
            if self._first_token_us is None and self._reader.received:
                self._first_token_us = (time.monotonic_ns() - self._started) // 1000
            if text:
                texts.append(text)
        return texts
