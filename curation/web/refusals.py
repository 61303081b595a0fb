"""Refusals. Each carries a code for programs, a sentence for people, and its HTTP status.

`config.errors` maps them to a page or to JSON, once. Nothing else in the product turns an
exception into a response. They are named for what the reader is told; a refusal is no error of the
program, so the linter's suffix is waived.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext_lazy as _


class WorkbenchError(Exception):
    """Base of every refusal.

    Args:
        detail: a sentence in the user's words that says what happened and what to do next.
        code: a stable snake_case name; subclasses give a default.
        fields: field name -> list of sentences, where single fields are at fault.
        data: further facts for the page or the API (both texts of a conflict, for example).
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


class BadInput(WorkbenchError):  # noqa: N818
    """What was sent cannot be used; `fields` says where."""

    status = 400
    code = "bad_input"
    default_detail = _("Some fields need a change. Everything you typed is kept.")


class Denied(WorkbenchError):  # noqa: N818
    """The person may know the thing exists, but may not do this to it."""

    status = 403
    code = "denied"
    default_detail = _("Your role does not allow this. If it should, ask the programme's staff.")


class NotFound(WorkbenchError):  # noqa: N818
    """There is nothing here for this person: missing and hidden look the same."""

    status = 404
    code = "not_found"
    default_detail = _("There is nothing at this address, or it is not yours to see.")


class Conflict(WorkbenchError):  # noqa: N818
    """The thing is no longer (or not yet) in the state this step needs.

    Args:
        page: address of the thing as it is now, where the refused page itself is no longer there.
    """

    status = 409
    code = "conflict"
    default_detail = _("Somebody was faster, so nothing was changed.")

    def __init__(self, detail: Any = None, *, page: str = "", **more: Any) -> None:
        super().__init__(detail, **more)
        self.page = page


@contextmanager
def shown_at(page: str) -> Iterator[None]:
    """Let a Conflict raised inside lead to this address, unless it names one of its own."""
    try:
        yield
    except Conflict as refused:
        refused.page = refused.page or page
        raise


class Gone(WorkbenchError):  # noqa: N818
    """What the link led to has ended; there will be nothing here again."""

    status = 410
    code = "gone"
    default_detail = _("This link has ended.")


class TooMany(WorkbenchError):  # noqa: N818
    """The same step was tried too often in a short time."""

    status = 429
    code = "too_many"
    default_detail = _(
        "This was tried many times in a short while, so it is closed for a few minutes. Nothing "
        "is lost: wait a little, then repeat the step."
    )


class TooLarge(WorkbenchError):  # noqa: N818
    """More was sent than any form takes."""

    status = 413
    code = "too_large"
    default_detail = _(
        "What you sent is larger than what fits at once, so nothing was taken. Go back, and add "
        "large files one by one."
    )


class Stale(Conflict):
    """A save based on an older version. `data` holds `yours`, `theirs`, `version` and `at`."""

    code = "stale"
    default_detail = _(
        "This text was changed somewhere else since you opened it. Both versions are kept: "
        "choose which one to save."
    )
