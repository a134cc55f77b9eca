"""Finding by words: the inverted index (the one door to whoosh), stems and spelling."""
