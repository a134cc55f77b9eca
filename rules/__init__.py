"""What follows from what was read: rule files, the engines that run them, and proofs."""

__all__: list[str] = []
