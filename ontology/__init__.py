"""The words: what a story world is made of (`*.ttl`), what we refuse (`shapes/`), both as values (`terms`, `validate`).

Imports nothing of ours; importing it loads no RDF library.
"""
