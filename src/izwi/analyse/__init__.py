"""What a corpus says in numbers: frequencies, collocations, keywords and trends."""
