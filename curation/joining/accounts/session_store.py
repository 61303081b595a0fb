"""Sessions in the database; where that has no room, signed in the cookie for an hour at most.

So people can sign in while the disk is full, and make room. With room again, the next change moves
the session into the database. A signed session ends with the password and with "end all sessions",
like every other, and where a row is behind it, with that row; alone it cannot be ended before its
time. So its hour counts from the first signing, no change begins a new one, and it goes on counting
in the database: a copy of the cookie is worth no more.

A sign-out always ends the session in its browser. A row that cannot be deleted then is remembered
in this process alone, which refuses it from then on and deletes it when it stores the next session.
Other processes accept it until then, or until its person ends it.
"""

import time
from functools import partial
from typing import Any, Literal

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.core import signing
from django.db import DatabaseError, transaction

from curation.base.web.room import best_effort, is_no_room

PREFIX = "signed-"
SALT = "curation.joining.accounts.session_store"
SINCE = "signed_since"  # key in the session: when it was first signed, in seconds since 1970
ROW = "row"  # key in the cookie only: the key of the row behind a signed session
MAX_AGE = 3600  # seconds
LONGEST = 3500  # characters; a browser keeps a cookie of 4096

_left: set[str] = set()  # keys of rows whose sessions ended while nothing could be deleted


def is_signed(key: str | None) -> bool:
    """Return whether a session is in the cookie, under a key that no row can have."""
    return (key or "").startswith(PREFIX)


class SessionStore(db.SessionStore):
    """A session, as `SESSION_ENGINE` wants it.

    Attributes:
        signed: the session as it is in the cookie; "" while its row holds all of it.
        unended: what a sign-out could not end: the row, or copies of the cookie.
    """

    def __init__(self, session_key: str | None = None) -> None:
        self.signed = ""
        self.unended: Literal["", "row", "cookie"] = ""
        self._of_cookie: dict[str, Any] = {}
        self._has_row = True  # false for a new key that could not be stored
        row = session_key
        if session_key and is_signed(session_key):
            row = self._read(session_key)
        super().__init__(None if row in _left else row)

    def _read(self, cookie: str) -> str | None:
        """Take the session from a cookie, unless it is over; return the key of its row."""
        try:
            data = signing.loads(cookie.removeprefix(PREFIX), salt=SALT)
        except signing.BadSignature:
            return None
        row = data.pop(ROW, None)
        if _is_over(data) or (row and (row in _left or not self.exists(row))):
            return None
        self.signed, self._of_cookie = cookie, data
        return row  # type: ignore[no-any-return]

    @property
    def session_key(self) -> str | None:
        """Return what the cookie has to hold."""
        return self.signed or super().session_key

    @property
    def row_key(self) -> str | None:
        """Return the key of its row, also while it is signed; None if it has none."""
        return super().session_key if self._has_row else None

    def is_empty(self) -> bool:
        return not self.signed and super().is_empty()

    def load(self) -> dict[str, Any]:
        data = self._of_cookie if self.signed else super().load()
        return {} if _is_over(data) else data

    def save(self, must_create: bool = False) -> None:
        if not must_create and self.row_key is None:
            self.keys()  # reads the session before it has a new key
            self.create()
            return
        try:
            super().save(must_create)
        except (DatabaseError, UpdateError) as error:
            if not is_no_room(error) or not self._sign(None if must_create else self.row_key):
                raise
            self._has_row = not must_create
        else:
            self.signed, self._has_row = "", True
            _end_left()

    def _sign(self, row: str | None) -> bool:
        """Keep the session in the cookie; return whether it fits."""
        self.setdefault(SINCE, int(time.time()))
        data = dict(self.items()) | ({ROW: row} if row else {})
        signed = PREFIX + signing.dumps(data, salt=SALT, compress=True)
        if len(signed) > LONGEST:
            return False
        self.signed = signed
        return True

    def cycle_key(self) -> None:
        self.pop(SINCE, None)  # somebody has just given their password
        self.signed = ""
        try:
            super().cycle_key()
        except DatabaseError as error:
            # The new session is made; the old one, of nobody yet, is left in the table.
            if not is_no_room(error):
                raise

    def delete(self, session_key: str | None = None) -> None:
        """Delete a row. Its own, without room, is left for later (`unended`): its person goes."""
        row = session_key or self.row_key
        if row is None:
            self.unended = "cookie" if self.signed else ""
            return
        try:
            super().delete(row)
        except DatabaseError as error:
            if session_key or not is_no_room(error):
                raise
            _left.add(row)
            self.unended = "row"

    def flush(self) -> None:
        super().flush()
        self.signed, self._has_row = "", True


def _is_over(data: dict[str, Any]) -> bool:
    return SINCE in data and time.time() - data[SINCE] > MAX_AGE


def _end_left() -> None:
    """Delete the rows that a sign-out left, now that there is room."""
    for key in list(_left):
        with best_effort("the end of a session"), transaction.atomic():
            db.SessionStore().delete(key)
            transaction.on_commit(partial(_left.discard, key))


def row_key_of(session: SessionBase) -> str | None:
    """Return the key of a session's row. Of another engine's session, its key."""
    return getattr(session, "row_key", session.session_key)
