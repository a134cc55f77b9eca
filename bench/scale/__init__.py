"""Cost, growth, hostile input."""
