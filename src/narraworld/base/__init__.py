"""What every room may use and nothing of ours is imported by: errors, settings, whole files, compiled values."""
