"""Commands for those who study stories: theories over them, the catalogue of relations, whole corpora."""
