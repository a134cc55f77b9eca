"""How answers are said and shown: words for states of mind, one matter once, pages. Decides nothing."""
