"""NarraWorld: a story world that remembers.

This package is the front door and holds nothing heavy: `import narraworld` costs no library until a world is opened.
"""

__version__ = "0.1.0"
