"""From what a provider answers when it does not answer to the library's errors."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from aworld.errors import ProviderError, ProviderRefused
from aworld.llm.refused_parameters import refused_parameter

_AGAIN = frozenset({408, 409, 425, 429})
# An account without money answers 429 as a busy one does, but waiting does not fill it.
_NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"})
_CURE = {
    400: "Change the request",
    401: "Check the API key",
    402: "Top up the account",
    403: "Check what the API key may use",
    404: "Check the model's name and the base URL",
    413: "Shorten the conversation",
    429: "Check the account's quota and balance",
}
_WORDS = 600


class ProviderUnavailable(ProviderError):
    """The provider is busy, down or out of reach; worth another try."""

    def __init__(
        self, message: str, *, status: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message, status=status, retryable=True)
        self.retry_after_s = retry_after_s
        """Seconds the provider asks to wait, or None where it does not say."""


class ParameterRefused(ProviderRefused):
    """The model does not take a parameter that an answer can do without."""

    def __init__(self, message: str, *, status: int, parameter: str) -> None:
        super().__init__(message, status=status)
        self.parameter = parameter
        """Its name in the request."""


def error_from_status(
    status: int, body: bytes, headers: Mapping[str, str], *, where: str
) -> ProviderError:
    """The error of an answer that is not 200. `headers` has lower-case names."""
    content = _json(body)
    words = provider_words(content) or body.decode("utf-8", "replace").strip()[:_WORDS]
    said = f"{where} answered {status}: {words}" if words else f"{where} answered {status}."
    code = _field(content, "code") or _field(content, "type")
    if (status in _AGAIN or status >= 500) and code not in _NO_MONEY:
        return ProviderUnavailable(
            said, status=status, retry_after_s=_retry_after(headers.get("retry-after", ""))
        )
    refused = refused_parameter(_field(content, "param"), words) if status in (400, 422) else ""
    if refused:
        return ParameterRefused(
            f"{said.rstrip('.')}. Leave {refused!r} out.", status=status, parameter=refused
        )
    cure = _CURE.get(status, "Check the request and the model connection")
    return ProviderRefused(f"{said.rstrip('.')}. {cure}.", status=status)


def provider_words(content: Any) -> str:
    """The message in an error's JSON, in any of the shapes providers use; "" without one."""
    if isinstance(content, list) and content:
        content = content[0]
    if isinstance(content, str):
        return content[:_WORDS]
    if not isinstance(content, dict):
        return ""
    for key in ("error", "message", "detail", "error_message"):
        words = content.get(key)
        if isinstance(words, dict | list | str) and (found := provider_words(words)):
            return found
    return ""


def _field(content: Any, name: str) -> str:
    error = content.get("error", content) if isinstance(content, dict) else None
    value = error.get(name) if isinstance(error, dict) else None
    return value if isinstance(value, str) else ""


def _json(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None


def _retry_after(header: str) -> float | None:
    """Seconds, from seconds or an HTTP date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = email.utils.parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - time.time())
