"""Claude through Anthropic's OpenAI-compatible end point."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="anthropic",
    title="Anthropic (compatible end point)",
    base_url="https://api.anthropic.com/v1",
    key_env="ANTHROPIC_API_KEY",
    needs_key=True,
    cloud=True,
    model_prefixes=("claude-",),
)
