"""`LLMClient`: a model by its name, wherever it is served."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import random
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import msgspec

from aworld.errors import ConfigurationError
from aworld.llm.anthropic.dialect import AnthropicDialect
from aworld.llm.base import Parameters
from aworld.llm.dialect import Dialect
from aworld.llm.http_transport import HttpTransport
from aworld.llm.limits.gate import NO_LIMITS, LimitGate
from aworld.llm.openai_dialect import OpenAIDialect, ToolStyle
from aworld.llm.openai_sdk import OpenAISdkTransport
from aworld.llm.prices import Price, price_from
from aworld.llm.provider import Provider, get_provider, guess_provider
from aworld.llm.retries import RetryPolicy, Sleep
from aworld.llm.transport import Address, Transport
from aworld.llm.wire_model import WireModel

TransportName = Literal["auto", "http", "sdk"]
"""`http` is the lean one, `sdk` the `openai` package; `auto` takes `sdk` for cloud providers that
speak OpenAI's protocol."""


class LLMClient(WireModel):
    """A model of any known provider, in the provider's own protocol."""

    def __init__(
        self,
        model_name: str,
        api_key: str = "",
        base_url: str = "",
        *,
        provider: str = "",
        parameters: Parameters | Mapping[str, Any] | None = None,
        price: Price | Mapping[str, float] | None = None,
        transport: TransportName = "auto",
        tool_style: ToolStyle | None = None,
        gate: LimitGate = NO_LIMITS,
        retries: RetryPolicy = RetryPolicy(),
        sleep: Sleep = asyncio.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Only the name is needed.

        `provider` is guessed from the model's name where it is not given. `base_url` falls back to
        AWORLD_LLM_BASE_URL, then to the provider's own; `api_key` to the provider's environment
        variable. `parameters` are defaults for every call; names beside those of `Parameters` go
        into the request as they stand. `price` is USD per million tokens; `gate` holds the limits
        of the connection.

        Raises:
            ConfigurationError: no name, no such provider, no URL, or no key where one is needed.
        """
        if not model_name:
            raise ConfigurationError(
                "A model needs a name, as its provider calls it, like "
                'LLMClient(model_name="qwen3-32b").'
            )
        preset = get_provider(provider) if provider else guess_provider(model_name)
        # The variable redirects what would go to a cloud, not what is served nearby.
        anywhere = preset.cloud or not (preset.base_url or preset.base_url_env)
        override = os.environ.get("AWORLD_LLM_BASE_URL", "") if anywhere else ""
        self.base_url = _base_url(base_url or override, preset)
        self.provider = preset.name
        self.price = price_from(price)
        own_place = bool(base_url or override)
        key = _key(api_key, preset, model_name, own_place=own_place)
        defaults, extra = split_parameters(parameters)
        self.transport_name = _transport_name(transport, preset, self.base_url)
        address = Address(self.base_url, key, preset.path, preset.key_header, preset.headers)
        # Somebody's own server may speak otherwise than the cloud whose models it is named after.
        like_preset = bool(provider) or not own_place
        super().__init__(
            model_name,
            _make_transport(self.transport_name, address),
            _dialect(preset, extra, tool_style, own_place=own_place, like_preset=like_preset),
            parameters=defaults,
            price=self.price,
            gate=gate,
            retries=retries,
            sleep=sleep,
            draw=draw,
        )

    def __repr__(self) -> str:
        """Without the key."""
        return f"LLMClient({self.name!r}, base_url={self.base_url!r}, provider={self.provider!r})"


def _key(given: str, preset: Provider, model_name: str, *, own_place: bool) -> str:
    key = given or (os.environ.get(preset.key_env, "") if preset.key_env else "")
    if preset.needs_key and not key and not own_place:
        raise ConfigurationError(
            f"Provider {preset.name!r} of model {model_name!r} needs an API key. Give api_key, "
            f"or set {preset.key_env}."
        )
    check_key(key)
    return key


def _dialect(
    preset: Provider,
    extra: Mapping[str, Any],
    tool_style: ToolStyle | None,
    *,
    own_place: bool,
    like_preset: bool,
) -> Dialect:
    if preset.protocol == "anthropic":
        return AnthropicDialect(extra=extra)
    return OpenAIDialect(
        extra=extra,
        tool_style=tool_style or cast(ToolStyle, preset.tool_style),
        max_tokens_name="max_tokens" if own_place else preset.max_tokens_name,
        stream_usage=preset.stream_usage,
        always_stream=preset.always_stream and like_preset,
        reasoning_back=preset.reasoning_back,
    )


def split_parameters(
    parameters: Parameters | Mapping[str, Any] | None,
) -> tuple[Parameters, dict[str, Any]]:
    """The known sampling parameters, and what goes into the request as it stands.

    Raises:
        ConfigurationError: a known one has a value it cannot have.
    """
    if parameters is None:
        return Parameters(), {}
    if isinstance(parameters, Parameters):
        return parameters, {}
    fields = Parameters.__struct_fields__
    known = {name: value for name, value in parameters.items() if name in fields}
    try:
        defaults = msgspec.convert(known, Parameters)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"The parameters {known!r} cannot be used: {error}.") from None
    return defaults, {name: value for name, value in parameters.items() if name not in fields}


def _base_url(given: str, preset: Provider) -> str:
    from_env = os.environ.get(preset.base_url_env, "") if preset.base_url_env else ""
    url = given or from_env or preset.base_url
    if not url:
        variable = f", or set {preset.base_url_env}" if preset.base_url_env else ""
        raise ConfigurationError(
            f"Provider {preset.name!r} needs a base URL. Give base_url, like "
            f"'http://127.0.0.1:8000/v1'{variable}."
        )
    check_base_url(url)
    return url.rstrip("/")


def check_base_url(url: str) -> None:
    """Whether requests can go there.

    Raises:
        ConfigurationError: they cannot.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        # A space or a line break would end up in the request's first line.
        usable = usable and url.isprintable() and " " not in url
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(
            f"The base URL {url!r} is not an HTTP URL. Write it like 'http://127.0.0.1:8000/v1'."
        )
    if "@" in parts.netloc:
        raise ConfigurationError(
            f"The base URL of {parts.hostname!r} holds a user name or a password. Remove them, "
            "and give what the server needs as the API key."
        )


def check_key(key: str) -> None:
    """Whether a key can travel in a header. Its text is in no message.

    Raises:
        ConfigurationError: it cannot.
    """
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError(
            "The API key holds a line break or a character that no key has. Copy it once more."
        )


def _transport_name(
    asked: TransportName, preset: Provider, base_url: str
) -> Literal["http", "sdk"]:
    if asked == "sdk" and preset.protocol != "openai":
        raise ConfigurationError(
            f"Provider {preset.name!r} has a protocol of its own, which the 'openai' package does "
            "not speak. Leave 'transport' out, or set it to 'http'."
        )
    if asked != "auto":
        return asked
    cloud = preset.cloud and preset.protocol == "openai"
    return "sdk" if cloud and not _is_private(urlsplit(base_url).hostname or "") else "http"


def _is_private(host: str) -> bool:
    """Whether a host is on this machine or in its own network."""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))


def _make_transport(name: Literal["http", "sdk"], address: Address) -> Transport:
    return OpenAISdkTransport(address) if name == "sdk" else HttpTransport(address)
