"""What a theory of narrative says of a story: analyses, tables over many stories, RDF with provenance, figures."""
