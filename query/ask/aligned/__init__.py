"""A question laid beside the sentences it may be answered by, both by their grammar: which part of which sentence fills what it leaves open."""
