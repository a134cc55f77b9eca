"""What a value may be: sorts and declared types, floats, functions of text and number."""
