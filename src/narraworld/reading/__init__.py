"""What `world.read` does: files to pieces, a reader for each, results in the order of the telling."""
