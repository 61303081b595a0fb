"""Django's PostgreSQL backend with a pool that survives a restart of the server."""
