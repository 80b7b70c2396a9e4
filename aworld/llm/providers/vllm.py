"""A vLLM server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="vllm",
    title="vLLM",
    base_url="http://127.0.0.1:8000/v1",
    base_url_env="VLLM_BASE_URL",
    key_env="VLLM_API_KEY",
)
