"""Commands for those who study stories: theories over them, corpora of them, and the catalogue of relations."""
