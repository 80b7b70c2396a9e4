"""OpenAI's own API."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="openai",
    title="OpenAI",
    base_url="https://api.openai.com/v1",
    key_env="OPENAI_API_KEY",
    needs_key=True,
    cloud=True,
    model_prefixes=("gpt-", "o1", "o3", "o4", "chatgpt-"),
    # Its thinking models refuse the older name, and the others know both.
    max_tokens_name="max_completion_tokens",
)
