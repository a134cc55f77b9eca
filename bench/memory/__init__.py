"""Memory, search and answers beside plain search."""
