"""Other memory systems beside ours, on the same episodes and the same model that answers at once. Each script runs in an environment of its own."""

__all__: list[str] = []
