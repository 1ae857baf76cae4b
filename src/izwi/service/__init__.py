"""How is a use case done: the folder behind a corpus, its runs, searching, exporting, settings."""
