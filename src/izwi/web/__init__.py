"""How is a use case asked and shown over HTTP: the application, its pages and its interface."""
