"""How good a reader is: three bundled pages with gold, read and scored. Nothing of the story rests on it."""
