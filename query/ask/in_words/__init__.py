"""A question that a mind at hand answers in words, from lines that this situation may see, numbered; no word of it is taken on trust."""
