"""Where a small parser errs, and how it is set right: the parts of a clause, and slips that change what it says."""
