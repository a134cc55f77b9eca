"""From tokens to clauses: parser, tree, clauses, realis, negation, mentions. Knows nobody of the story."""
