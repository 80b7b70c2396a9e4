"""Claude through Anthropic's own Messages API."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="anthropic",
    title="Anthropic",
    base_url="https://api.anthropic.com/v1",
    base_url_env="ANTHROPIC_BASE_URL",
    key_env="ANTHROPIC_API_KEY",
    needs_key=True,
    cloud=True,
    model_prefixes=("claude-",),
    protocol="anthropic",
    path="/messages",
    key_header="x-api-key",
    headers=(("anthropic-version", "2023-06-01"),),
    quirks=(
        "Thinking is asked for by the parameter thinking, and goes back with its seal.",
        "The parameter cache_control caches the system prompt and the conversation so far.",
        "Without a limit an answer may have 8192 tokens; seed is left out.",
    ),
)
