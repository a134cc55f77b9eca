"""Memory out: situations, views, who knows what, differences. Never writes."""

__all__: list[str] = []
