"""Invite many people from a table: each line read and checked, then all invited, or none."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.lists.bulk import taken_back
from curation.base.web.refusals import BadInput, WorkbenchError
from curation.base.web.tables import BrokenTableError, csv_rows
from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import invite_person
from curation.joining.invitations.models import Invitation

COLUMNS = ("email", "name", "language", "domain")
MOST = 500  # people of one table


@dataclass(frozen=True)
class Line:
    """A line of the table.

    Attributes:
        number: its place in the table, from 1; the head counts.
        domain: its key, "" where the person chooses.
        why: what is wrong with it; "" if nothing is.
    """

    number: int
    email: str
    name: str
    language: str
    domain: str
    why: str = ""


def read_people(text: str, *, language: str, domain: Domain | None) -> list[Line]:
    """Read a table of people: CSV with commas, semicolons or tabs, with or without a head.

    Args:
        language, domain: of people whose line does not say it.

    Raises:
        BadInput: nothing in it, too many lines, an unknown column, or it is no table.
    """
    rows = _cells(text)
    head = [cell.casefold() for cell in rows[0][1]] if rows else []
    if "email" in head:
        unknown = [cell for cell in head if cell not in COLUMNS]
        if unknown:
            raise BadInput(
                fields={
                    "people": [
                        _("The column “%(name)s” is not known. Columns: %(columns)s.")
                        % {"name": unknown[0], "columns": ", ".join(COLUMNS)}
                    ]
                }
            )
        rows = rows[1:]
    else:
        head = list(COLUMNS)
    if not rows:
        raise BadInput(fields={"people": [_("Paste the people, or choose a file: one a line.")]})
    if len(rows) > MOST:
        said = _("Invite at most %(n)s people at once.") % {"n": MOST}
        raise BadInput(fields={"people": [said]})
    key = domain.key if domain is not None else ""
    return [_line(number, head, cells, language, key) for number, cells in rows]


def _cells(text: str) -> list[tuple[int, list[str]]]:
    try:
        found = list(csv_rows(text))
    except BrokenTableError as broken:
        said = _("This cannot be read as a table, line %(line)s: %(why)s")
        facts = {"line": broken.line, "why": broken.sentence}
        raise BadInput(fields={"people": [said % facts]}) from None
    rows = [(n, [cell.strip() for cell in row]) for n, row in found]
    return [(number, cells) for number, cells in rows if any(cells)]


def _line(
    number: int, head: Sequence[str], cells: Sequence[str], language: str, domain: str
) -> Line:
    given = dict(zip(head, cells, strict=False))
    spoken = {name.casefold(): code for code, label in settings.LANGUAGES for name in (code, label)}
    spoken |= {"zh": "zh-hans", "chinese": "zh-hans", "english": "en"}
    typed = given.get("language", "")
    return Line(
        number,
        given.get("email", ""),
        given.get("name", ""),
        spoken.get(typed.casefold(), typed) or language,
        given.get("domain", "") or domain,
        _("This line has more cells than there are columns.") if len(cells) > len(head) else "",
    )


def try_lines(lines: Iterable[Line], *, actor: Any) -> list[Line]:
    """Return the lines, each with what keeps it from being invited. Nothing stays changed."""
    with taken_back():
        return [line for line, _invitation in _each(lines, actor)]


@action("staff.recruiting")
def invite_people(*, actor: Any, lines: Iterable[Line]) -> list[Invitation]:
    """Invite everybody of a table, in one transaction, and queue their e-mails for the sweep.

    Raises:
        BadInput: somebody cannot be invited; nobody was.
    """
    with transaction.atomic():
        done = _each(lines, actor)
        if any(line.why for line, _invitation in done):
            raise BadInput(
                fields={"people": [_("Nobody was invited: some lines need a change, see below.")]}
            )
        made = [invitation for _line_, invitation in done if invitation is not None]
        rows = Invitation.objects.filter(pk__in=[row.pk for row in made])
        rows.update(mail_due_at=timezone.now())
    return made


def _each(lines: Iterable[Line], actor: Any) -> list[tuple[Line, Invitation | None]]:
    domains = {row.key: row for row in Domain.objects.filter(external=False)}
    done: list[tuple[Line, Invitation | None]] = []
    for line in lines:
        found, why = None, line.why
        if not why and line.domain and line.domain not in domains:
            why = _("There is no domain “%(key)s”.") % {"key": line.domain}
        if not why:
            try:
                with transaction.atomic():
                    found = invite_person(
                        actor=actor,
                        email=line.email,
                        name=line.name,
                        language=line.language,
                        domain=domains.get(line.domain),
                    )
            except WorkbenchError as refusal:
                why = refusal.sentence
        done.append((Line(**{**vars(line), "why": why}), found))
    return done
