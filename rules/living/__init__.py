"""Tables kept in step with the journal, the cut of a situation, and the census of classes."""
