"""What `world.check` does: the check world, changed files, baseline, judge."""
