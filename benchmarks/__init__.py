"""Measurements, never tests: what the product does on this machine, in the terms of the design."""
