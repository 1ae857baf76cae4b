"""What a corpus is meant to be: corpus.toml, read, checked and fingerprinted."""
