"""Gold: which approved tasks are drawn, and the frozen releases made of them."""
