"""Where `LLMClient` and model connections lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from aworld.errors import ConfigurationError
from aworld.llm import provider as provider_module
from aworld.llm.base import ChatMessage, Completion, ModelRequest, Parameters, Usage
from aworld.llm.client import LLMClient
from aworld.llm.prices import Price, price_from
from aworld.llm.registry import Provider, get_provider, make_model, providers, register_provider
from aworld.llm.scripted import ScriptedModel
from tests.openai_server import Answer, OpenAIServer

VARIABLES = (
    "AWORLD_LLM_BASE_URL",
    "AWORLD_LOCAL_MODEL_URL",
    "OPENAI_API_KEY",
    "DEEPSEEK_API_KEY",
    "DASHSCOPE_API_KEY",
    "DASHSCOPE_BASE_URL",
    "VLLM_BASE_URL",
)
ASK = ModelRequest(messages=(ChatMessage("user", "hello"),))


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.mark.parametrize(
    ("model", "provider", "base_url"),
    [
        ("qwen3-32b", "qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
        ("deepseek-chat", "deepseek", "https://api.deepseek.com/v1"),
        ("gpt-4.1", "openai", "https://api.openai.com/v1"),
        ("something-else", "openai", "https://api.openai.com/v1"),
    ],
)
def test_the_provider_is_guessed_from_the_models_name(
    model: str, provider: str, base_url: str
) -> None:
    client = LLMClient(model_name=model, api_key="xxx")
    assert (client.provider, client.base_url) == (provider, base_url)
    assert client.transport_name == "sdk"


def test_one_variable_redirects_what_would_go_to_a_cloud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWORLD_LLM_BASE_URL", "http://127.0.0.1:9/v1/")
    client = LLMClient(model_name="qwen3-32b", api_key="xxx")
    assert (client.base_url, client.transport_name) == ("http://127.0.0.1:9/v1", "http")
    assert LLMClient("m", provider="vllm").base_url == "http://127.0.0.1:8000/v1"
    assert LLMClient("m", base_url="http://10.0.0.5/v1").base_url == "http://10.0.0.5/v1"


@pytest.mark.parametrize(
    ("options", "transport"),
    [
        ({"provider": "vllm", "base_url": "https://vllm.example.com/v1"}, "http"),
        ({"provider": "openai", "base_url": "http://127.0.0.1:1/v1"}, "http"),
        ({"provider": "openai", "base_url": "http://gateway/v1"}, "http"),
        ({"provider": "openai", "base_url": "https://gateway.example.com/v1"}, "sdk"),
        ({"provider": "openai", "transport": "http", "api_key": "k"}, "http"),
        ({"provider": "vllm", "transport": "sdk"}, "sdk"),
    ],
)
def test_clouds_are_reached_through_the_sdk_and_neighbours_directly(
    options: dict[str, Any], transport: str
) -> None:
    assert LLMClient("m", **options).transport_name == transport


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"model_name": ""}, "needs a name"),
        ({"model_name": "gpt-4.1"}, "needs an API key. Give api_key, or set OPENAI_API_KEY"),
        ({"model_name": "m", "provider": "opnai"}, "no model provider 'opnai'. Did you mean 'open"),
        ({"model_name": "m", "provider": "local"}, "or set AWORLD_LOCAL_MODEL_URL"),
        ({"model_name": "m", "base_url": "localhost:8000"}, "'localhost:8000' is not an HTTP URL"),
        ({"model_name": "m", "base_url": "http://[x/v1"}, "is not an HTTP URL"),
        ({"model_name": "m", "base_url": "http://a b/v1"}, "is not an HTTP URL"),
        ({"model_name": "m", "base_url": "http://ann:secret@x/v1"}, "URL of 'x' holds a user"),
        ({"model_name": "m", "base_url": "http://x", "api_key": "k\r\nA: b"}, "a line break"),
        ({"model_name": "m", "base_url": "http://x", "price": {"input": 1}}, "cannot be read"),
        (
            {"model_name": "m", "base_url": "http://x", "price": {"input": -1, "output": 1}},
            "is negative",
        ),
        (
            {"model_name": "m", "base_url": "http://x", "parameters": {"temperature": "hot"}},
            "cannot be used",
        ),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_sent(
    options: dict[str, Any], why: str
) -> None:
    with pytest.raises(ConfigurationError, match=why):
        LLMClient(**options)


def test_the_key_is_in_no_representation() -> None:
    client = LLMClient("m", "sk-very-secret", "http://x/v1")
    assert "sk-very-secret" not in repr(client)


async def test_the_key_comes_from_the_environment_and_openai_has_its_own_name_for_a_limit(
    monkeypatch: pytest.MonkeyPatch, server: OpenAIServer
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
    client = LLMClient("gpt-5", provider="openai")
    body = client.request_body(ASK, Parameters(max_tokens=9), stream=True)
    assert body["max_completion_tokens"] == 9
    assert body["stream_options"] == {"include_usage": True}
    server.reply("ok")
    near = LLMClient("gpt-5", base_url=server.base_url)
    await near.complete(ASK)
    await near.aclose()
    assert server.requests[0].headers["authorization"] == "Bearer from-environment"


async def test_a_connection_becomes_a_model(server: OpenAIServer) -> None:
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
    server.reply(Answer("hi", usage=usage))
    spec = {
        "name": "mine",
        "provider": "vllm",
        "model": "llama",
        "base_url": server.base_url,
        "parameters": {"temperature": 0.5, "top_k": 20},
        "price": {"input": 2, "output": 4},
    }
    model = make_model(spec, {"mine": "key-of-mine", "vllm": "key-of-all"})
    completion = await model.complete(ASK)
    await model.aclose()
    assert completion == Completion("hi", usage=Usage(1_000_000, 0), cost_usd=2.0, model="llama")
    assert server.requests[0].body == {
        "model": "llama",
        "messages": [{"role": "user", "content": "hello"}],
        "temperature": 0.5,
        "top_k": 20,
    }
    assert server.requests[0].headers["authorization"] == "Bearer key-of-mine"


async def test_the_local_model_gets_its_tools_as_text(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWORLD_LOCAL_MODEL_URL", server.base_url)
    server.reply("ok")
    model = make_model({"provider": "local", "model": "smollm2-135m"})
    asked = ModelRequest(messages=(ChatMessage("tool", "2", tool_call_id="x"),))
    await model.complete(asked)
    await model.aclose()
    assert server.requests[0].body["messages"] == [
        {"role": "user", "content": "<tool_response>2</tool_response>"}
    ]


def test_the_known_providers_are_found_by_their_files() -> None:
    assert [provider.name for provider in providers()] == [
        "anthropic",
        "azure",
        "deepseek",
        "llama.cpp",
        "local",
        "ollama",
        "openai",
        "openai-compatible",
        "qwen",
        "sglang",
        "tgi",
        "vllm",
    ]


def test_an_unknown_provider_lists_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="'gemini'.* Known: anthropic, azure, deepseek"):
        get_provider("gemini")


def test_an_unknown_field_of_a_connection_is_named() -> None:
    with pytest.raises(ConfigurationError, match="no field 'temperature'"):
        make_model({"provider": "vllm", "model": "m", "temperature": 1})


async def test_a_provider_with_a_protocol_of_its_own_can_be_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(provider_module, "_registered", {})

    def make(spec: Mapping[str, Any], key: str) -> ScriptedModel:
        return ScriptedModel([f"{spec['model']} {key}"])

    register_provider(Provider(name="parrot", title="Parrot", make=make))
    model = make_model({"provider": "parrot", "model": "grey"}, {"parrot": "cracker"})
    assert (await model.complete(ASK)).text == "grey cracker"


def test_a_price_counts_cached_tokens_apart_where_it_knows_them() -> None:
    usage = Usage(input=1_000_000, output=500_000, cached_input=400_000)
    assert Price(1.0, 2.0).cost(usage) == pytest.approx(2.0)
    assert Price(1.0, 2.0, cached_input=0.1).cost(usage) == pytest.approx(0.6 + 0.04 + 1.0)
    assert price_from(None) is price_from({}) is None
