"""The maintained engine: tables on disk that follow the journal row by row."""
