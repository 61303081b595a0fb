"""Failure modes of a domain, put on responses by people, or proposed by a model."""
