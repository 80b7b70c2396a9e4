"""An SGLang server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="sglang",
    title="SGLang",
    base_url="http://127.0.0.1:30000/v1",
    base_url_env="SGLANG_BASE_URL",
    key_env="SGLANG_API_KEY",
    quirks=(
        "Calls of tools need --tool-call-parser, thinking --reasoning-parser.",
        "Cached tokens are told with --enable-cache-report.",
    ),
)
