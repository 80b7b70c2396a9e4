"""Pictures and files of a tool or an environment, as events name them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from aworld.tools.base import Attachment


async def describe_all(
    attachments: Iterable[Attachment], put_blob: Callable[[bytes], str]
) -> list[dict[str, Any]]:
    """`{name, media_type, size, blob}` of each; its bytes are in the blob store then."""
    return [
        {
            "name": attachment.name,
            "media_type": attachment.media_type,
            "size": len(attachment.data),
            "blob": await asyncio.to_thread(put_blob, attachment.data),
        }
        for attachment in attachments
    ]
