"""From RDF to relations: which properties become which columns, who carries a row, and its ticks."""
