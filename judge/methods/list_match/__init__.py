"""A list against a gold list: coverage of the first entries, invented entries named."""
