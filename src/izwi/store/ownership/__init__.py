"""Which text belongs to which document: sorted runs of hashes, by shard and in groups."""
