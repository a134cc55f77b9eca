"""The Model Context Protocol: tools for an agent. `server` is the only door to the SDK; the tools know nothing of it."""
