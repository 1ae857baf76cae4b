"""What was asked, and where does it stand: queries, hits, lines."""
