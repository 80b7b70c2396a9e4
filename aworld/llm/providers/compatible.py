"""Any other server that speaks the protocol, at the URL the user gives."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="openai-compatible",
    title="OpenAI-compatible",
    key_env="AWORLD_LLM_API_KEY",
)
