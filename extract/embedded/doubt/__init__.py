"""How sure the reader is of each record: what it knows of how a record came about, weighed by a table that judges' verdicts taught."""
