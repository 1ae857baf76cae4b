"""Ways of finding pages, one per file; each is a frozen dataclass, its [[source]] table."""
