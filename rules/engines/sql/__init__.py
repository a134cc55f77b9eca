"""One writer of SQL for both SQL engines: joins, aggregates, nearest rows, look-ups. Runs nothing."""
