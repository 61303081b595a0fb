"""The cache in which throttles count; where the database has no room, each process counts alone."""

from collections.abc import Iterable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.db import DatabaseError

from curation.base.web.room import is_no_room


class Counts(DatabaseCache):
    """Django's cache in the database, with counts in memory while that cannot be written."""

    def __init__(self, table: str, params: dict[str, Any]) -> None:
        super().__init__(table, params)
        self.memory = LocMemCache("counts", params)  # as many as in the database

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        keys = list(keys)
        return self._in_database(keys, version) | self.memory.get_many(keys, version)

    def set(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        super().set(key, value, timeout, version)  # tells nobody whether it was stored
        if super().touch(key, timeout, version):
            self.memory.delete(key, version)
        else:
            self.memory.set(key, value, timeout, version)

    def add(
        self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        if super().add(key, value, timeout, version):
            return True
        if key in self._in_database([key], version):
            return False
        # Gone since, or there is no room: then a second try fails too.
        return super().add(key, value, timeout, version) or (
            key not in self._in_database([key], version)
            and self.memory.add(key, value, timeout, version)
        )

    def delete(self, key: str, version: int | None = None) -> bool:
        in_memory = self.memory.delete(key, version)
        try:
            return super().delete(key, version) or in_memory
        except DatabaseError as error:
            if not is_no_room(error):
                raise
            return in_memory

    def clear(self) -> None:
        self.memory.clear()
        super().clear()

    def _in_database(self, keys: Iterable[str], version: int | None) -> dict[str, Any]:
        try:
            return super().get_many(keys, version)  # type: ignore[no-any-return]
        except DatabaseError as error:  # it deletes what has expired
            if not is_no_room(error):
                raise
            return {}
