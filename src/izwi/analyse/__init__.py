"""What does a corpus say in numbers: frequencies, collocations, keywords, trends."""
