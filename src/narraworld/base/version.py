"""Which release this is, so that lower rooms need not import the front door to say so."""

__all__ = ["__version__"]

__version__ = "0.1.0"
