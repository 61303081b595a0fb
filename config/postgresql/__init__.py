"""Django's backend for PostgreSQL, whose pool survives a restart of the server."""
