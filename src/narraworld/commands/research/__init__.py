"""Commands for those who study stories: theories over them, and the catalogue of relations."""
