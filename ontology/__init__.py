"""The words: what a story world is made of (`*.ttl`), what we refuse (`shapes/`), both as values (`vocabulary`, `validate`);
in which respects it can be thus or otherwise, and what deeds change in it (`respects`, `deeds`, each beside its table).

Imports nothing of ours; importing it loads no RDF library.
"""
