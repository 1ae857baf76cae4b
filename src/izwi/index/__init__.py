"""How is a version searched quickly: immutable segments, written, merged and read."""
