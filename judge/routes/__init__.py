"""Rows of the route table, by noun."""
