"""Records out of clauses: events, states, minds, speeches, developments and what else is told."""
