"""How one language on the list of an n-gram is packed: its class above, its weight below."""

WEIGHT_BITS = 6
WEIGHTS = (1 << WEIGHT_BITS) - 1
# What a weight of nothing is written as, so that some may be negative.
NO_WEIGHT = 16
