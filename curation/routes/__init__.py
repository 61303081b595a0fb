"""Rows of the route table, by noun, and the two shapes that repeat."""

OPEN_POST = {"GET": "open", "POST": "open"}
SIGNED_POST = {"GET": "signed_in", "POST": "signed_in"}
