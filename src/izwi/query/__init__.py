"""Questions to a snapshot: hits, and the results made of them."""
