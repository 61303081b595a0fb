"""A grade from 1 to 5 for the whole answer, after an analysis."""
