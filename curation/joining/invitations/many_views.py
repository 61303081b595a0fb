"""The page that invites many people from a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.access.action import action
from curation.base.lists.bulk import taken_back
from curation.base.records.files import (
    JSON_LINES,
    UnreadableTableError,
    as_csv,
    read_file,
)
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, WorkbenchError
from curation.base.web.step import go, refused_at, status_of
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


LONGEST = 1_000_000  # bytes of a file


class PeopleForm(forms.Form):
    """The table, pasted or as a file, and what holds for lines that do not say it."""

    people = forms.CharField(
        required=False,
        strip=False,
        max_length=LONGEST,
        label=gettext_lazy("People, one a line"),
        help_text=gettext_lazy(
            "Address, name, language and domain, as copied from a spreadsheet or separated by "
            "commas. Language and domain may be left out."
        ),
        widget=forms.Textarea(attrs={"rows": 8, "class": "mono"}),
    )
    file = forms.FileField(
        required=False,
        label=gettext_lazy("Or a CSV or Excel file"),
        help_text=gettext_lazy("Columns: email, name, language, domain."),
    )
    domain = forms.ModelChoiceField(
        Domain.objects.filter(external=False),
        to_field_name="key",
        required=False,
        label=gettext_lazy("Domain"),
        empty_label=gettext_lazy("They choose"),
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES,
        initial="en",
        label=gettext_lazy("Language of the e-mail and of the workbench"),
        widget=forms.RadioSelect,
    )

    def clean_file(self) -> str:
        """Return the file as CSV, which stands in the box then; "" without one."""
        file = self.cleaned_data["file"]
        if file is None:
            return ""
        if file.size > LONGEST:
            raise forms.ValidationError(_("The file is larger than 1 MB."))
        try:
            found = read_file(file.read())
        except UnreadableTableError as problem:
            raise forms.ValidationError(problem.sentence) from None
        if found.shape == JSON_LINES:
            raise forms.ValidationError(_("This is no table. Choose a CSV or Excel file."))
        return as_csv(found.sheets[0])

    def text(self) -> str:
        """Return the table: that of the file, else what was pasted."""
        return str(self.cleaned_data["file"] or self.cleaned_data["people"])


@once
def staff_invite_many(request: HttpRequest) -> HttpResponse:
    """Preview a table of people; invite them all, or none."""
    posted = request.method == "POST"
    form = PeopleForm(request.POST, request.FILES) if posted else PeopleForm()
    lines: list[Line] = []
    if posted and form.is_valid():
        given, text = dict(form.cleaned_data), form.text()
        data = request.POST.copy()
        data["people"] = text  # a page cannot give a file back: what was in it stands in the box
        form.data = data
        with refused_at(form):
            lines = read_people(text, language=given["language"], domain=given["domain"])
            lines = try_lines(lines, actor=request.user)
            if "invite" in request.POST:
                made = invite_people(actor=request.user, lines=lines)
                said = ngettext(
                    "%(n)s person is invited. The e-mail is sent in the background.",
                    "%(n)s people are invited. Their e-mails are sent in the background.",
                    len(made),
                )
                return go(request, said % {"n": len(made)}, "staff-invitations")
    return render(
        request,
        "joining/invitations/invite_many.html",
        {
            "form": form,
            "lines": lines,
            "cannot": [line for line in lines if line.why],
            "ready": bool(lines) and not form.errors and not any(line.why for line in lines),
        },
        status=status_of(form),
    )
