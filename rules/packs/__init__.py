"""Theories as rule packs: what a pack says of itself, and its program beside the rules of the world."""
