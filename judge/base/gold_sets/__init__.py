"""Sets of tasks: draws, releases, their halves, and the one way to name them."""
