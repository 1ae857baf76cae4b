"""How do pages come from their sources into WARC files: leads, permission, exchanges, captures."""
