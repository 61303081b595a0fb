"""Measurements of the product on this machine. They are never part of the tests."""
