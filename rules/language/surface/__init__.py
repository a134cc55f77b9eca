"""From rule text to statements as they were written: grammar, sugar, tables beside the file, layout."""
