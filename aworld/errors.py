"""Every error the library raises, attributed to the boundary that was crossed.

    AWorldError
    ├── ConfigurationError    what the user wrote cannot work: a team, a setting, a file
    ├── ProviderError         a model provider refused, failed or answered nonsense
    │   ├── ProviderTimeout
    │   └── ProviderRefused   the provider said no (key, quota, model): retrying does not help
    ├── ToolError             a tool could not do what it was asked
    ├── SandboxError          the place where untrusted code runs could not be made or was left
    ├── EnvironmentFault      an environment could not be reset, stepped or verified
    ├── StoreError            the log could not be read or written
    │   ├── StaleEpoch        another worker holds the run's lease now
    │   ├── SequenceConflict  a block does not start at the next sequence number
    │   ├── NotFound          no such run, event or blob
    │   └── Unwritable        an event holds what no log can keep: trying again does not help
    ├── BusError              a message could not be published or received
    └── RunCancelled          the run was cancelled; not a fault

A message says what happened, to which thing (quoted), and what to do about it.
"""

from __future__ import annotations

__all__ = [
    "AWorldError",
    "BusError",
    "ConfigurationError",
    "EnvironmentFault",
    "NotFound",
    "ProviderError",
    "ProviderRefused",
    "ProviderTimeout",
    "RunCancelled",
    "SandboxError",
    "SequenceConflict",
    "StaleEpoch",
    "StoreError",
    "ToolError",
    "Unwritable",
]


class AWorldError(Exception):
    """The root: catch it to catch whatever this library raises on purpose."""


class ConfigurationError(AWorldError):
    """Something the user wrote cannot work; raised before anything runs."""


class ProviderError(AWorldError):
    """A model provider failed. `status` is the HTTP status, or None where there was no answer."""

    def __init__(self, message: str, *, status: int | None = None, retryable: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.retryable = retryable


class ProviderTimeout(ProviderError):
    """The provider did not answer within its time limit; worth another try."""

    def __init__(self, message: str) -> None:
        super().__init__(message, status=None, retryable=True)


class ProviderRefused(ProviderError):
    """The provider said no; its own words are in the message."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message, status=status, retryable=False)


class ToolError(AWorldError):
    """A tool could not do what it was asked. The text is shown to the model as it stands."""


class SandboxError(AWorldError):
    """The sandbox could not be made, or code tried to leave it."""


class EnvironmentFault(AWorldError):
    """An environment could not be reset, stepped or verified."""


class StoreError(AWorldError):
    """The log could not be read or written."""


class StaleEpoch(StoreError):
    """The writer lost its lease: another worker writes this run now."""


class SequenceConflict(StoreError):
    """A block of events does not begin at the run's next sequence number."""


class NotFound(StoreError):
    """There is no such run, event or blob."""


class Unwritable(StoreError):
    """An event holds what no log can keep: numbers beyond 64 bits, half a surrogate pair, objects
    of no JSON type. Writing it again does not help."""


class BusError(AWorldError):
    """A message could not be published or received."""


class RunCancelled(AWorldError):
    """The run was cancelled while something waited for it."""
