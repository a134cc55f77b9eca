"""Who there is: the cast, its entities, salience, coreference, doubtful names."""
