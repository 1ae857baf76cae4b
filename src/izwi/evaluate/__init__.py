"""How good the methods are, against texts whose truth is known."""
