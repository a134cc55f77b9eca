"""The living desk: one open world, its files, one worker and one bell, under every surface."""
