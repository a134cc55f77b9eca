"""A language server over the desk: what does not fit, beside the words, while one writes. Never touches prose."""
