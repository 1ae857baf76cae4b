"""Main text and boilerplate: one algorithm per file, all behind the protocol in base.py."""
