"""The goal-directed engine: only what a goal needs is derived."""
