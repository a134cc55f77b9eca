"""From rule text to a checked core program: syntax, sorts, well-formedness, lowering, dependencies, goals."""
