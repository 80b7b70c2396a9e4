"""A Text Generation Inference server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="tgi",
    title="Text Generation Inference",
    base_url="http://127.0.0.1:8080/v1",
    base_url_env="TGI_BASE_URL",
    key_env="TGI_API_KEY",
    quirks=(
        "The model's name is free: the server has one.",
        "It may number its calls, and give their arguments as an object.",
    ),
)
