"""Who speaks to whom: speech tags, vocatives, attribution, dialogue, participants."""
