"""RDF for others: SPARQL over the base facts, and files that leave and come back."""
