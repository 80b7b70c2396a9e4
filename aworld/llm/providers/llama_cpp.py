"""A llama.cpp server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="llama.cpp",
    title="llama.cpp",
    base_url="http://127.0.0.1:8080/v1",
    base_url_env="LLAMA_CPP_BASE_URL",
    key_env="LLAMA_API_KEY",
    quirks=(
        "Calls of tools need --jinja and a template that knows them.",
        "The model's name is free: the server has one.",
    ),
)
