"""Questions in English: their forms, slots and answers."""
