"""The small model that comes with the demo, served beside the web application."""

from aworld.llm.provider import Provider

PROVIDER = Provider(
    name="local",
    title="Local (SmolLM2-135M)",
    base_url_env="AWORLD_LOCAL_MODEL_URL",
    model_prefixes=("local", "smollm2"),
    # Its chat template knows no tools: the contract stands in the system prompt.
    tool_style="text",
)
