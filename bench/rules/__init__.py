"""Engines and rule language."""
