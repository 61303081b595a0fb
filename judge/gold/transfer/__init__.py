"""Benchmarks as JSON lines: a file is read and checked completely, then stored or refused whole."""
