"""Benchmarks as JSON lines: read completely, checked completely, then stored or not at all."""
