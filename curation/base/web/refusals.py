"""Refusals: exceptions with a code for programs, a sentence for people, and an HTTP status.

Only `config.errors` turns them into a page or JSON. A refusal is no error of the program, so the
classes do without the suffix "Error".
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext_lazy as _


class WorkbenchError(Exception):
    """Base of every refusal.

    Args:
        detail: a sentence for the user: what happened and what to do next.
        code: a stable snake_case name; None for that of the class.
        fields: field name -> sentences, where single fields are at fault.
        data: further facts for the page or the API, such as both texts of a conflict.
    """

    status = 400
    code = "refused"
    default_detail: Any = _("This cannot be done.")

    def __init__(
        self,
        detail: Any = None,
        *,
        code: str | None = None,
        fields: Mapping[str, list[Any]] | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        self.detail = detail if detail is not None else self.default_detail
        self.code = code or type(self).code
        self.fields = dict(fields or {})
        self.data = dict(data or {})
        super().__init__(str(self.detail))

    @property
    def sentence(self) -> str:
        """What is said where there is room for one sentence: that of the first field at fault."""
        first = next((str(said[0]) for said in self.fields.values() if said), "")
        return first or str(self.detail)

    @property
    def text(self) -> str:
        """All that is said where there is no form to show it beside: in a command, for example."""
        said = [str(sentence) for found in self.fields.values() for sentence in found]
        if said and self.detail is self.default_detail:
            return " ".join(dict.fromkeys(said))
        return str(self.detail)


class BadInput(WorkbenchError):  # noqa: N818
    """The input cannot be used; `fields` says why."""

    status = 400
    code = "bad_input"
    default_detail = _("Some fields need a change. Everything you typed is kept.")


class Denied(WorkbenchError):  # noqa: N818
    """The person may not do this, but may know that the thing exists."""

    status = 403
    code = "denied"
    default_detail = _("Your role does not allow this. If it should, ask the programme's staff.")


class NotFound(WorkbenchError):  # noqa: N818
    """Nothing is here for this person. Missing and hidden things look the same."""

    status = 404
    code = "not_found"
    default_detail = _("There is nothing at this address, or it is not yours to see.")


class Conflict(WorkbenchError):  # noqa: N818
    """The thing is not, or no longer, in the state that this step needs.

    Args:
        page: address that shows the thing as it is now; "" for the page the form was on.
    """

    status = 409
    code = "conflict"
    default_detail = _("Somebody was faster, so nothing was changed.")

    def __init__(self, detail: Any = None, *, page: str = "", **more: Any) -> None:
        super().__init__(detail, **more)
        self.page = page


@contextmanager
def shown_at(page: str) -> Iterator[None]:
    """Set the page of a Conflict raised inside, unless it has one."""
    try:
        yield
    except Conflict as refused:
        refused.page = refused.page or page
        raise


class Gone(WorkbenchError):  # noqa: N818
    """The link has ended for good."""

    status = 410
    code = "gone"
    default_detail = _("This link has ended.")


class TooMany(WorkbenchError):  # noqa: N818
    """A throttle refused the step."""

    status = 429
    code = "too_many"
    default_detail = _(
        "There were too many attempts in a short time, so this is blocked for a few minutes. "
        "Nothing is lost: wait a little, then repeat the step."
    )


class TooLarge(WorkbenchError):  # noqa: N818
    """The request is larger than any form."""

    status = 413
    code = "too_large"
    default_detail = _(
        "What you sent is too large to be accepted at once, so nothing was saved. Go back, and "
        "add large files one by one."
    )


class NoRoom(WorkbenchError):  # noqa: N818
    """The disk is full, or the database does not write."""

    status = 507
    code = "no_room"
    default_detail = _(
        "The server has no room to store anything, so nothing was changed. You can read everything "
        "as before. Tell the programme's staff, and repeat the step when they have made room."
    )


class Stale(Conflict):
    """A save is based on an older version; `data` has `yours`, `theirs`, `version` and `at`."""

    code = "stale"
    default_detail = _("This text was changed since you opened it. Load it again, or keep yours.")
