"""Names of teams and of model connections."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.shell.refusals import Conflict

MOST_NAME = 120
"""Characters."""


def name_taken(name: str) -> Conflict:
    """The refusal of a name that another one has."""
    return Conflict(
        _("The name %(name)r is taken already. Choose another one.") % {"name": name}, name=name
    )
