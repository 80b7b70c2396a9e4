"""bash that keeps its folder and its variables between calls, in the sandbox."""
