"""What things are: plain frozen data that every other package speaks of."""
