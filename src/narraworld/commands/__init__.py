"""The command line: each command parses, calls one verb of the world and prints.

The door of every process that is a command. Most live for a second: Python's search for circles of dead objects finds nothing worth its
time in them, and at the end it would walk once more over all that the system takes back anyway.
"""

import atexit
import gc
import sys

__all__: list[str] = []


def _leave_lying() -> None:
    """Tear nothing down at the end; but DuckDB counts what is left of it then, and complains aloud."""
    if "duckdb" not in sys.modules:
        gc.freeze()


gc.set_threshold(50_000, 10, 3)  # a server still searches everything after a few million new objects
atexit.register(_leave_lying)
