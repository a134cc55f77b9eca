"""The page: quotations, letters, screenplay, sentences, and the document they make."""
