"""What a model is told: prompts as files, taken apart and filled; for small models one kind of thing at a time."""
