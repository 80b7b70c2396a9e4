"""DeepSeek's API."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="deepseek",
    title="DeepSeek",
    base_url="https://api.deepseek.com/v1",
    key_env="DEEPSEEK_API_KEY",
    needs_key=True,
    cloud=True,
    model_prefixes=("deepseek-",),
)
