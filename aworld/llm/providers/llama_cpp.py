"""A llama.cpp server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="llama.cpp",
    title="llama.cpp",
    base_url="http://127.0.0.1:8080/v1",
    base_url_env="LLAMA_CPP_BASE_URL",
)
