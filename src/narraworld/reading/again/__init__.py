"""A chapter is read again when it would be told something else of those before it: what each was told, and the words to read again."""
