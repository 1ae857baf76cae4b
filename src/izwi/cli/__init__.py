"""How is a use case asked and shown in a terminal: commands, tables, progress."""
