"""The product's PostgreSQL backend, for tests that commit."""
