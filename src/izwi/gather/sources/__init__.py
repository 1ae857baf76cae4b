"""Ways of finding pages, one per file; each is a frozen dataclass read from its [[source]] table."""
