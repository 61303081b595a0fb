"""How trustworthy a source is, by the domain of its address."""
