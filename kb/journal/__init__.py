"""The append-only journal on disk: one leaf per committed unit, the folder, its branches and its lock."""
