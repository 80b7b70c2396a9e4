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
    quirks=(
        "A system prompt counts as a developer's with its thinking models.",
        "Thinking models refuse temperature and top_p; they are left out after the first refusal.",
        "The parameter parallel_tool_calls: false allows one call a turn.",
    ),
)
