"""Any other server that speaks the protocol, at the URL the user gives."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="openai-compatible",
    title="OpenAI-compatible",
    key_env="AWORLD_LLM_API_KEY",
    url_example="http://127.0.0.1:8000/v1",
)
