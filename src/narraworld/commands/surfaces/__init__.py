"""The commands of the surfaces: the page, the watch, the language server. Each imports its extra when it runs."""
