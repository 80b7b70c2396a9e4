"""The files and pictures that an event names."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.runs.selectors import whole_event
from apps.runs.stores import run_store
from apps.shell.refusals import Missing
from aworld.errors import NotFound
from aworld.events.action import EnvironmentObserved, ToolReturned
from aworld.events.union import AnyPayload
from aworld.tools.base import Attachment


def event_file(run_id: str, seq: int, number: int) -> Attachment:
    """File `number`, from 0, of an event.

    Raises:
        Missing: there is no such run, event or file, or its bytes were not kept.
    """
    named = _named_in(whole_event(run_id, seq).payload)
    if not 0 <= number < len(named):
        raise Missing(
            _("Event %(seq)d of run %(run)r has no file %(number)d.")
            % {"seq": seq, "run": run_id, "number": number}
        )
    name = str(named[number].get("name", "file"))
    try:
        data = run_store().get_blob(str(named[number].get("blob", "")))
    except NotFound:
        raise Missing(
            _("The file %(name)r of run %(run)r was not kept.") % {"name": name, "run": run_id}
        ) from None
    return Attachment(name, str(named[number].get("media_type", "")), data)


def _named_in(payload: AnyPayload) -> list[dict[str, Any]]:
    """`{name, media_type, size, blob}` of each; an import may hold anything here."""
    named: object = ()
    if isinstance(payload, ToolReturned):
        named = payload.attachments
    elif isinstance(payload, EnvironmentObserved) and isinstance(payload.observation, dict):
        named = payload.observation.get("attachments", ())
    files = named if isinstance(named, list | tuple) else ()
    return [file for file in files if isinstance(file, dict)]
