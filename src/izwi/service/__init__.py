"""The use cases, each one function that takes and returns model types; three skins call them."""
