"""Staff's pages of the skills library: the taxonomy of a domain, one label, hours, suitability."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web import workbooks
from curation.base.web.csv_export import download
from curation.base.web.forms import read_filter
from curation.base.web.once import once
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Category
from curation.tasks.skills import actions, import_table, queries
from curation.tasks.skills.effort import effort_of, labelled_tasks, labels_of_tasks
from curation.tasks.skills.forms import (
    BeginSkillForm,
    EffortForm,
    LabelForm,
    LabelsFilter,
    RetireLabelForm,
    SuitabilityForm,
)
from curation.tasks.skills.models import EffortEntry, Level, SkillLabel

ON_A_PAGE = 50


def skills(request: HttpRequest, key: str) -> HttpResponse:
    """Show the taxonomy of a domain with its skills, its hours and how well models label."""
    domain = queries.domain_of(key)
    return render(request, "tasks/skills/library.html", {"library": queries.library_of(domain)})


def skills_csv(request: HttpRequest, key: str) -> HttpResponseBase:
    """Download the taxonomy of a domain as CSV, as `manage.py skills` reads it."""
    domain = queries.domain_of(key)
    rows = import_table.rows_of(queries.labels_of(domain))
    return download(f"skills-{domain.pk}.csv", import_table.HEAD, rows)


def skills_xlsx(request: HttpRequest, key: str) -> HttpResponse:
    """Download the taxonomy of a domain as an Excel workbook, as `manage.py skills` reads it."""
    domain = queries.domain_of(key)
    rows = import_table.rows_of(queries.labels_of(domain))
    file = f"skills-{domain.pk}.xlsx"
    return workbooks.download(file, import_table.HEAD, rows, name="skills")


def effort(request: HttpRequest, key: str) -> HttpResponse:
    """Show the hours of work on each skill of a domain, and the labels of each labelled task."""
    domain = queries.domain_of(key)
    wanted = read_filter(LabelsFilter, request.GET).cleaned_data
    rows = labelled_tasks(domain)
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    context = {
        "effort": effort_of(domain),
        "levels": [level.label for level in Level],
        "per_task": queries.labels_per_task(domain),
        "page": page.showing(list(labels_of_tasks(page.rows))),
        "query": "",
    }
    return render(request, "tasks/skills/effort.html", context)


@once
def label_new(request: HttpRequest, key: str) -> HttpResponse:
    """Add a label to the taxonomy of a domain."""
    domain = queries.domain_of(key)
    form = LabelForm(request.POST or None, initial={"version": 0})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.add_label(actor=request.user, domain=domain, **form.values())
            return go(request, _("Added to the library."), "skills", domain.key)
    context = {"domain": domain, "form": form}
    return render(request, "tasks/skills/label_new.html", context, status=status_of(form))


def _label(pk: int) -> SkillLabel:
    return get_object_or_404(SkillLabel.objects.select_related("domain", "skill"), pk=pk)


def label(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one label with its skill and hours; a POST changes the label."""
    found = _label(pk)
    form = LabelForm.of(found, request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.change_label(
                actor=request.user,
                label=found,
                version=form.cleaned_data["version"],
                **form.values(),
            )
            return go(request, _("Saved."), "skill-label", found.pk)
    return _label_page(request, found, form=form)


def _label_page(request: HttpRequest, found: SkillLabel, **forms: Any) -> HttpResponse:
    """Render the page of a label; `forms` has the one that was sent, with its errors."""
    version = {"version": found.version}
    context = {
        "label": found,
        "form": LabelForm.of(found),
        "retire": RetireLabelForm(initial=version),
        "begin": BeginSkillForm(label=found, initial=version),
        "effort": EffortForm(label=found),
        "can_begin": queries.can_begin(found),
        "account": queries.account_of(found),
        **forms,
    }
    wrong = any(form.errors for form in forms.values())
    return render(request, "tasks/skills/label.html", context, status=400 if wrong else 200)


def label_retire(request: HttpRequest, pk: int) -> HttpResponse:
    """Retire a label, or bring a retired one back."""
    found = _label(pk)
    form = RetireLabelForm(request.POST)
    form.is_valid()
    version = form.cleaned_data["version"]
    if found.retired_at is not None:
        actions.restore_label(actor=request.user, label=found, version=version)
        return go(request, _("It is in use again."), "skill-label", found.pk)
    with refused_at(form):
        actions.retire_label(
            actor=request.user,
            label=found,
            version=version,
            reason=form.cleaned_data.get("reason", ""),
        )
        return go(request, _("Retired. Its skill and its tasks stay."), "skills", found.domain.key)
    return _label_page(request, found, retire=form)


def skill_begin(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin the skill of a label and give it to its writer."""
    found = _label(pk)
    form = BeginSkillForm(request.POST, label=found)
    with refused_at(form):
        if form.is_valid():
            actions.begin_skill(
                actor=request.user,
                label=found,
                version=form.cleaned_data["version"],
                writer=form.cleaned_data["writer"],
            )
            return go(
                request,
                _("Begun. Its writer finds it on Home and adds the checkpoints."),
                "skill-label",
                found.pk,
            )
    return _label_page(request, found, begin=form)


@once
def effort_enter(request: HttpRequest, pk: int) -> HttpResponse:
    """Enter hours of work on a skill."""
    found = _label(pk)
    form = EffortForm(request.POST, label=found)
    with refused_at(form):
        if form.is_valid():
            actions.enter_effort(actor=request.user, label=found, **form.cleaned_data)
            return go(request, _("Entered."), "skill-label", found.pk)
    return _label_page(request, found, effort=form)


def effort_take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back an entry of hours that was wrong."""
    entry = get_object_or_404(EffortEntry.objects.select_related("label"), pk=pk)
    actions.take_back_effort(actor=request.user, entry=entry)
    return go(request, _("Taken back. It counts no longer."), "skill-label", entry.label_id)


def open_judgement(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether answers of a category can be judged openly."""
    category = get_object_or_404(Category.objects.select_related("domain"), pk=pk)
    form = SuitabilityForm(request.POST or None, initial=queries.suitability_of(category))
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.set_suitability(actor=request.user, category=category, **form.cleaned_data)
            return go(request, _("Saved."), "skills", category.domain.key)
    context = {"category": category, "form": form}
    return render(request, "tasks/skills/open_judgement.html", context, status=status_of(form))
