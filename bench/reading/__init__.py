"""From prose to records: what a reader finds and what it costs."""
