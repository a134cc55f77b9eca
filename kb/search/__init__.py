"""Finding by words: the inverted index, the terms of a text (the one door to whoosh), stems and spelling."""
