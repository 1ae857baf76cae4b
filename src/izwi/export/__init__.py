"""The corpus in the forms other programs read; each format is one file of this package."""
