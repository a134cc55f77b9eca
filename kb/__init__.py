"""What was read: units, records, the journal, the clocks. Append-only; derives nothing."""

__all__: list[str] = []
