"""DeepSeek's API."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="deepseek",
    title="DeepSeek",
    base_url="https://api.deepseek.com/v1",
    base_url_env="DEEPSEEK_BASE_URL",
    key_env="DEEPSEEK_API_KEY",
    needs_key=True,
    cloud=True,
    model_prefixes=("deepseek-",),
    reasoning_back="reasoning_content",
    quirks=(
        "Thinking goes back with calls of tools, as it demands.",
        "With thinking it ignores temperature and top_p; the parameter thinking turns it off.",
        "Cached input is much cheaper: give its price as well.",
    ),
)
