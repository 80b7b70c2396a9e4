"""Search of the web: each provider's request and answer, its errors in words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aworld.errors import ConfigurationError, ToolError
from aworld.tools import registry
from aworld.tools.base import ToolContext, ToolResult
from aworld.tools.failures import ToolRefused
from aworld.tools.search.providers import PROVIDERS
from aworld.tools.search.settings import VARIABLE, configured
from tests.tools.search.providers_server import KEY, ProvidersServer, providers_server


@pytest.fixture(autouse=True)
def nothing_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in (VARIABLE, *(known.variable for known in PROVIDERS.values())):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
async def server() -> AsyncIterator[ProvidersServer]:
    async with providers_server() as running:
        yield running


def configure(folder: Path, **fields: str) -> None:
    rows = [f"  {name}: {value}" for name, value in fields.items()]
    (folder / "config.yaml").write_text("\n".join(["search:", *rows]), encoding="utf-8")


async def web(query: str = "tides", **more: Any) -> ToolResult:
    return await registry.call("search", ToolContext(), {"action": "web", "query": query, **more})


@pytest.mark.parametrize(
    ("provider", "method", "path", "query", "body", "header"),
    [
        ("searxng", "GET", "/search", {"q": "tides", "format": "json"}, None, None),
        (
            *("brave", "GET", "/res/v1/web/search", {"q": "tides", "count": "3"}, None),
            ("x-subscription-token", KEY),
        ),
        (
            *("tavily", "POST", "/search", {}),
            {"query": "tides", "max_results": 3, "search_depth": "basic"},
            ("authorization", f"Bearer {KEY}"),
        ),
        ("serper", "POST", "/search", {}, {"q": "tides", "num": 3}, ("x-api-key", KEY)),
    ],
)
async def test_each_provider_is_asked_as_it_documents(
    tmp_path: Path,
    server: ProvidersServer,
    provider: str,
    method: str,
    path: str,
    query: dict[str, str],
    body: dict[str, Any] | None,
    header: tuple[str, str] | None,
) -> None:
    key = {"api_key": KEY} if PROVIDERS[provider].needs_key else {}
    configure(tmp_path, provider=provider, base_url=f"{server.base_url}/", **key)
    result = await web(limit=3)
    (asked,) = server.asked
    assert (asked["method"], asked["path"]) == (method, path)
    assert (asked["query"], asked["body"]) == (query, body)
    if header is not None:
        assert asked["headers"][header[0]] == header[1]
    assert result.data["provider"] == provider
    first = result.data["results"][0]
    assert (first["title"], first["url"]) == ("Tides", "https://example.org/tides")
    assert first["snippet"].startswith("How the moon moves water")
    assert "1. Tides" in result.text and "   https://example.org/tides" in result.text
    assert KEY not in result.text


async def test_direct_answers_and_dates_are_shown(tmp_path: Path, server: ProvidersServer) -> None:
    configure(tmp_path, provider="searxng", base_url=server.base_url)
    text = (await web()).text
    assert text.startswith("Answer: twice a day\n\n1. Tides (2026-03-01T00:00:00)\n")
    assert "2. https://example.com/x" in text
    configure(tmp_path, provider="serper", base_url=server.base_url, api_key=KEY)
    assert (await web()).text.startswith("Answer: Tides come twice a day.")


async def test_marks_in_brave_s_snippets_are_taken_out(
    tmp_path: Path, server: ProvidersServer
) -> None:
    configure(tmp_path, provider="brave", base_url=server.base_url, api_key=KEY)
    (found,) = (await web("word " * 80)).data["results"]
    assert found["snippet"] == "How the moon moves water & air."
    assert len(server.asked[0]["query"]["q"].split()) == 50


BRAVE_REFUSAL = {
    "type": "ErrorResponse",
    "error": {
        "id": "1",
        "status": 422,
        "code": "SUBSCRIPTION_TOKEN_INVALID",
        "detail": "The provided subscription token is invalid.",
    },
}
BRAVE_LIMIT = {
    "type": "ErrorResponse",
    "error": {"status": 429, "code": "RATE_LIMITED", "detail": "Request rate limit exceeded"},
}


@pytest.mark.parametrize(
    ("provider", "failure", "kind", "why"),
    [
        (
            *("brave", (422, BRAVE_REFUSAL, {}), ToolRefused),
            r"Brave refused the request \(422\): The provided subscription token is invalid. "
            "The owner should check BRAVE_API_KEY",
        ),
        (
            *("brave", (429, BRAVE_LIMIT, {"X-RateLimit-Reset": "7, 1419704"}), ToolError),
            r"too many requests \(429\): Request rate limit exceeded. Try again in 7 s",
        ),
        (
            "tavily",
            (401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}, {}),
            ToolRefused,
            r"Tavily refused the request \(401\): Unauthorized: missing or invalid API key",
        ),
        ("tavily", (432, {"detail": {"error": "plan limit"}}, {}), ToolRefused, "quota is used up"),
        (
            *("serper", (403, {"message": "Unauthorized.", "statusCode": 403}, {}), ToolRefused),
            r"Serper refused the request \(403\): Unauthorized. The owner should check SERPER",
        ),
        ("searxng", (403, "<h1>Forbidden</h1>", {}), ToolRefused, "gives no JSON; list `json`"),
        ("searxng", (429, "Too Many", {"Retry-After": "30"}), ToolError, "Try again in 30 s"),
        ("searxng", (500, "oh no", {}), ToolError, "SearXNG answered 500: oh no"),
        ("searxng", (200, "<html>", {}), ToolError, "answered something that is no list"),
        ("serper", (200, {"organic": [{"title": 1}]}, {}), ToolError, "no list of results"),
        ("brave", (302, "", {"Location": "http://127.0.0.1:9/"}), ToolError, "answered 302"),
    ],
)
async def test_a_provider_s_error_comes_in_words(
    tmp_path: Path,
    server: ProvidersServer,
    provider: str,
    failure: tuple[int, Any, dict[str, str]],
    kind: type[ToolError],
    why: str,
) -> None:
    key = {"api_key": KEY} if PROVIDERS[provider].needs_key else {}
    configure(tmp_path, provider=provider, base_url=server.base_url, **key)
    server.failure = failure
    with pytest.raises(kind, match=why) as raised:
        await web()
    assert KEY not in str(raised.value)
    assert len(server.asked) == 1


async def test_a_provider_that_is_not_there_is_told(tmp_path: Path) -> None:
    configure(tmp_path, provider="searxng", base_url="http://127.0.0.1:9")
    with pytest.raises(ToolError, match="SearXNG at 'http://127.0.0.1:9' cannot be reached"):
        await web()


async def test_with_nothing_configured_it_says_how_to(tmp_path: Path) -> None:
    with pytest.raises(ToolRefused, match="SEARXNG_URL .* BRAVE_API_KEY .* `search:` in config"):
        await web()
    with pytest.raises(ToolError, match="has no words"):
        await web("?!")


def test_a_key_in_the_environment_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    assert configured() is None
    monkeypatch.setenv("SERPER_API_KEY", "s")
    monkeypatch.setenv("TAVILY_API_KEY", "t")
    found = configured()
    assert found is not None and (found.provider.name, found.key) == ("tavily", "t")
    monkeypatch.setenv(VARIABLE, "serper")
    found = configured()
    assert found is not None and (found.provider.name, found.base_url, found.key) == (
        *("serper", "https://google.serper.dev", "s"),
    )


def test_the_file_can_name_the_variable_that_has_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(tmp_path, provider="brave", api_key_env="MY_KEY")
    with pytest.raises(ConfigurationError, match="'brave' needs a key. Set MY_KEY"):
        configured()
    monkeypatch.setenv("MY_KEY", "k")
    found = configured()
    assert found is not None and found.key == "k"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"provider": "altavista"}, "There is no search provider 'altavista'. Known: searxng"),
        ({"provider": "searxng"}, "needs its address. Set SEARXNG_URL"),
        ({"provider": "brave", "kee": "x"}, "has 'kee', which does not exist"),
    ],
)
def test_settings_that_cannot_work_are_told(
    tmp_path: Path, fields: dict[str, str], why: str
) -> None:
    configure(tmp_path, **fields)
    with pytest.raises(ConfigurationError, match=why):
        configured()
