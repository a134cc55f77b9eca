"""Every time expression of a text: words tagged by tables, a small grammar over the tags, the longest match."""
