"""One file per manuscript format."""
