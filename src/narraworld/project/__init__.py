"""A story's folder opened: settings file, rule set-up, search indexes, doctor."""
