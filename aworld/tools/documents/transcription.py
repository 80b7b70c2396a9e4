"""Speech into text, by whichever OpenAI-compatible service the owner configured."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import NamedTuple

from aworld.errors import ToolError

URL = "AWORLD_TRANSCRIBER_URL"
KEY = "AWORLD_TRANSCRIBER_KEY"
MODEL = "AWORLD_TRANSCRIBER_MODEL"
_SECONDS = 120.0
_MOST_BYTES = 25 * 1024 * 1024
"""What OpenAI takes."""


class Transcriber(NamedTuple):
    """A service: `POST {url}/audio/transcriptions`."""

    url: str
    key: str
    model: str


def configured() -> Transcriber | None:
    """What the environment names, if it names one."""
    url = os.environ.get(URL, "").rstrip("/")
    if not url:
        return None
    model = os.environ.get(MODEL, "") or "whisper-1"
    return Transcriber(url, os.environ.get(KEY, ""), model)


async def transcribe(path: str, data: bytes) -> str:
    """What is said, or why that is not told.

    Raises:
        ToolError: the service refused or failed; the text has its words.
    """
    service = configured()
    if service is None:
        return (
            "Note: speech is not transcribed, for no transcriber is configured. The owner can name "
            f"an OpenAI-compatible service with {URL} (such as https://api.openai.com/v1), {KEY} "
            f"and {MODEL}."
        )
    if len(data) > _MOST_BYTES:
        return f"Note: speech is not transcribed: {len(data)} bytes, up to {_MOST_BYTES} are sent."
    return f"Transcript ({service.model}):\n{await _ask(service, path, data)}"


async def _ask(service: Transcriber, path: str, data: bytes) -> str:
    import aiohttp

    form = aiohttp.FormData()
    form.add_field("file", data, filename=PurePosixPath(path).name)
    form.add_field("model", service.model)
    form.add_field("response_format", "json")
    headers = {"Authorization": f"Bearer {service.key}"} if service.key else {}
    limit = aiohttp.ClientTimeout(total=_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=limit, headers=headers) as session,
            session.post(f"{service.url}/audio/transcriptions", data=form) as answer,
        ):
            said = await answer.text(errors="replace")
            if answer.status != 200:
                raise ToolError(
                    f"The transcriber answered {answer.status}: {' '.join(said.split())[:300]}"
                )
            return str((await answer.json(content_type=None))["text"]).strip()
    except TimeoutError:
        raise ToolError(f"The transcriber did not answer within {_SECONDS:g} s.") from None
    except (aiohttp.ClientError, ValueError, KeyError, TypeError) as error:
        raise ToolError(f"The transcriber at {service.url!r} failed: {error!r}.") from None
