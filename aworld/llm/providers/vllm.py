"""A vLLM server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="vllm",
    title="vLLM",
    base_url="http://127.0.0.1:8000/v1",
    base_url_env="VLLM_BASE_URL",
    key_env="VLLM_API_KEY",
    quirks=(
        "Calls of tools need --enable-auto-tool-choice and --tool-call-parser.",
        "Thinking comes apart with --reasoning-parser; chat_template_kwargs turns it on or off.",
        "Cached tokens are told with --enable-prompt-tokens-details.",
    ),
)
