"""What a corpus holds, what became of the rest, and how good it is."""
