"""A web of made sites, friendly and hostile; of each page it is known what it is."""
