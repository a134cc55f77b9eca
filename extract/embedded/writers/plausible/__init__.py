"""Whether it can be so: what is asked before a clause becomes a record, of what it says and of whom it means."""
