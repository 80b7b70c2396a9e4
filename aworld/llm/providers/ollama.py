"""An Ollama server."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="ollama",
    title="Ollama",
    base_url="http://127.0.0.1:11434/v1",
    base_url_env="OLLAMA_BASE_URL",
    quirks=(
        "A conversation longer than num_ctx is cut silently: raise OLLAMA_CONTEXT_LENGTH.",
        "It counts no cached tokens.",
    ),
)
