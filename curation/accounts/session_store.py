"""Sessions in the database; where that has no room, signed in the cookie for an hour at most.

So people can sign in while the disk is full, and make room. With room again, the next change moves
the session into the database. A signed session ends with the password and with "end all sessions",
like every other; alone it cannot be ended before its time. So its hour counts from the sign-in, no
change begins a new one, and it goes on counting in the database: a copy of the cookie is worth no
more.
"""

import time
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.core import signing
from django.db import DatabaseError

from curation.web.room import is_no_room

PREFIX = "signed-"
SALT = "curation.accounts.session_store"
SINCE = "signed_since"  # key in the session: when it was first signed, in seconds since 1970
MAX_AGE = 3600  # seconds
LONGEST = 3500  # characters; a browser keeps a cookie of 4096


def is_signed(key: str | None) -> bool:
    """Return whether a session is in the cookie, under a key that no row can have."""
    return (key or "").startswith(PREFIX)


class SessionStore(db.SessionStore):
    """A session, as `SESSION_ENGINE` wants it."""

    def load(self) -> dict[str, Any]:
        data = self._of_cookie() if is_signed(self.session_key) else super().load()
        if SINCE in data and time.time() - data[SINCE] > MAX_AGE:
            data = {}
        if not data and is_signed(self.session_key):
            self._session_key = None
        return data

    def _of_cookie(self) -> dict[str, Any]:
        signed = str(self.session_key).removeprefix(PREFIX)
        try:
            return signing.loads(signed, salt=SALT, serializer=self.serializer)  # type: ignore[no-any-return]
        except signing.BadSignature:
            return {}

    def save(self, must_create: bool = False) -> None:
        if is_signed(self.session_key):
            self.keys()  # reads the session while it has its key
            self._session_key = None
        try:
            super().save(must_create)
        except (DatabaseError, UpdateError) as error:
            self.setdefault(SINCE, int(time.time()))
            signed = PREFIX + signing.dumps(
                dict(self.items()), salt=SALT, serializer=self.serializer, compress=True
            )
            if not is_no_room(error) or len(signed) > LONGEST:
                raise
            self._session_key = signed

    def cycle_key(self) -> None:
        self.pop(SINCE, None)  # somebody has just given their password
        try:
            super().cycle_key()
        except DatabaseError as error:
            # The new session is made; the old one, of nobody yet, is left in the table.
            if not is_no_room(error):
                raise

    def delete(self, session_key: str | None = None) -> None:
        if not is_signed(session_key or self.session_key):
            super().delete(session_key)
