"""Measurements: `python -m bench NAME`. Nothing of the product imports this folder, and it ships in no wheel."""
