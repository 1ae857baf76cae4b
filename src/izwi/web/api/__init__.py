"""What other programs ask: JSON, tables and files of every page, and the protocols of the field."""
