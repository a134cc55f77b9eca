"""The command line: each command parses, calls one verb of the world and prints."""
