"""Drawings of a story as SVG: values in, text out. Notebooks, the page and the command share them. Asks nothing, knows no library."""
