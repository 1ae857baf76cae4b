"""The command line: commands are parsed, use cases called, answers printed."""
