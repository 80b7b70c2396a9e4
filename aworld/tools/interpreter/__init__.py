"""Python that keeps its variables between calls, in the sandbox: one process for each workspace."""
