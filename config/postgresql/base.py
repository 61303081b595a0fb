"""A connection pool that replaces all dead connections at once.

After a restart of the server every connection in the pool is dead. With `CONN_HEALTH_CHECKS` they
are found one by one, and the pool waits longer after each: a request that meets five of them waits
fifteen seconds, then fails. Here the first dead connection makes the pool check all of them.
"""

from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        pool = self.pool
        if pool is None:
            return connection
        try:
            ConnectionPool.check_connection(connection)
        except psycopg.Error:
            pool.putconn(connection)
            pool.check()  # replaces every dead connection
            return super().get_new_connection(conn_params)
        return connection
