"""Measures of quality against gold standards."""
