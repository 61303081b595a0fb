"""Draws of approved tasks for gold, and the frozen releases made of them."""
