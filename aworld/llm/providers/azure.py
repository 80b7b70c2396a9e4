"""Azure OpenAI: OpenAI's models in a resource of one's own."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="azure",
    title="Azure OpenAI",
    base_url_env="AZURE_OPENAI_BASE_URL",
    key_env="AZURE_OPENAI_API_KEY",
    needs_key=True,
    cloud=True,
    key_header="api-key",
    url_example="https://RESOURCE.openai.azure.com/openai/v1",
    max_tokens_name="max_completion_tokens",
    quirks=(
        "The model is the name of the deployment.",
        "An older address works too: …/openai/deployments/NAME?api-version=2024-10-21.",
        "What its content filter stops ends with the reason content_filter, or is refused.",
    ),
)
