"""Qwen through Alibaba Cloud's DashScope."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="qwen",
    title="Qwen (DashScope)",
    base_url="https://dashscope.aliyuncs.com/compatible-mode/v1",
    base_url_env="DASHSCOPE_BASE_URL",
    key_env="DASHSCOPE_API_KEY",
    needs_key=True,
    cloud=True,
    model_prefixes=("qwen", "qwq-", "qvq-"),
    always_stream=True,
    quirks=(
        "The parameter enable_thinking turns thinking on or off.",
        "Every answer is streamed: some of its models answer in no other way.",
        "Outside China use https://dashscope-intl.aliyuncs.com/compatible-mode/v1.",
    ),
)
