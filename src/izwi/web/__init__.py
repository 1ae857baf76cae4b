"""The web pages and the HTTP interface."""
