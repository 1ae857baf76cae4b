"""Which stages there are, what is stale, and the work itself, shard by shard."""
