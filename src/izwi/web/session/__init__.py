"""Who asks: their name and rights, language and theme, and from where they came."""
