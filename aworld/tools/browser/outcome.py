"""What an action of the browser is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from aworld.tools.base import Attachment

Given = Mapping[str, Any]
"""The arguments; `workspace` is added for actions with files."""


class Done(msgspec.Struct, frozen=True):
    """An action's result."""

    text: str
    view: bool = True
    """Whether the page as it is now belongs to the answer."""
    attachments: tuple[Attachment, ...] = ()
    data: Any = None
