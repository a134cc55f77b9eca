"""What the tables of a language look like, and how they are read."""
