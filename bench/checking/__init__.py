"""What does not fit: planted errors, false alarms, wording."""
