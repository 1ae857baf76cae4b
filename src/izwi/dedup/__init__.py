"""Copies: what a text is known by, who owns it, and which documents copy it."""
