"""What the next scene needs, told by a mind at hand: it names lines of this situation, and nothing of its own becomes memory."""
