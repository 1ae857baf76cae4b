"""From sources to WARC: leads, politeness, exchanges, captures."""
