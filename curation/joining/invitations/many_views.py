"""The page that invites many people from a table."""

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.table_files.reading import (
    JSON_LINES,
    UnreadableTableError,
    as_csv,
    read_file,
)
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.invitations import many

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
    lines: list[many.Line] = []
    if posted and form.is_valid():
        given, text = dict(form.cleaned_data), form.text()
        data = request.POST.copy()
        data["people"] = text  # a page cannot give a file back: what was in it stands in the box
        form.data = data
        with refused_at(form):
            lines = many.read_people(text, language=given["language"], domain=given["domain"])
            lines = many.try_lines(lines, actor=request.user)
            if "invite" in request.POST:
                made = many.invite_people(actor=request.user, lines=lines)
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
