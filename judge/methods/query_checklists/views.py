"""Pages on which staff and seniors read checklists, overrule parts of them, and put them in use."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.permissions import allows
from curation.base.text import storable
from curation.base.web.forms import query_of, read_filter, reason_field
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.skills.access import access_labelled
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.fields import PARTS, label_of
from judge.methods.query_checklists import actions, page_queries
from judge.methods.query_checklists.models import ChecklistOverrule, QueryChecklist
from rubrics.versions.models import Criterion


class ChecklistsFilter(forms.Form):
    """Which tasks the list shows."""

    show = forms.ChoiceField(
        required=False,
        choices=[("", ""), ("waiting", ""), ("without", "")],
        widget=forms.HiddenInput,
    )
    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    after = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class OverruleForm(forms.Form):
    """Why a skill or a line is left out."""

    reason = reason_field(help_text=gettext_lazy("One sentence. It stays with the checklist."))


class AddSkillForm(forms.Form):
    """Which skill is added although no label activates it, and why."""

    label = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Skill"))
    reason = reason_field(
        help_text=gettext_lazy("One sentence. It stays with the checklist."), rows=3
    )

    def __init__(self, *args: Any, labels: Iterable[SkillLabel], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "add_%s"
        choices = [("", gettext_lazy("Not chosen yet")), *((one.pk, str(one)) for one in labels)]
        self.fields["label"].choices = choices  # type: ignore[attr-defined]


ON_A_PAGE = 50
PROMPT = tuple(name for name in PARTS if name != "reference_answer")


def checklists(request: HttpRequest) -> HttpResponse:
    """List the tasks with labels, with the checklist in use and the one that waits."""
    wanted = read_filter(ChecklistsFilter, request.GET).cleaned_data
    rows = page_queries.checklist_tasks(request.user, wanted["show"])
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    context = {
        "page": page.showing(page_queries.task_rows(request.user, page.rows)),
        "show": wanted["show"],
        "query": query_of({"show": wanted["show"]} if wanted["show"] else {}),
    }
    return render(request, "methods/query_checklists/list.html", context)


@once
def checklist(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the checklist of a task, or propose one."""
    task = access_labelled(request.user, pk)
    if request.method == "POST":
        actions.propose_checklist(actor=request.user, task=task)
        said = _("Composed. Read the lines, and put the checklist in use.")
        return go(request, said, "query-checklist", task.pk)
    return _page(request, task)


def checklist_number(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show a checklist that is or was in use."""
    return _page(request, access_labelled(request.user, pk), number=number)


def _page(
    request: HttpRequest, task: Any, *, number: int | None = None, add: AddSkillForm | None = None
) -> HttpResponse:
    page = page_queries.page_of(task, number)
    if page is None:
        raise NotFound()
    context = {
        "page": page,
        "task": task,
        "number": number,
        "may_use": allows(request.user, "checklist.use", task),
        "add": add or AddSkillForm(labels=page.addable),
        "parts": [
            (label_of(name, task), getattr(task, name))
            for name in PROMPT
            if not storable.is_blank(getattr(task, name))
        ],
    }
    status = status_of(add) if add is not None else 200
    return render(request, "methods/query_checklists/checklist.html", context, status=status)


def _proposal(request: HttpRequest, pk: int) -> QueryChecklist:
    """Return a checklist of a task that the person may label. Raises NotFound."""
    found = page_queries.proposal_of(pk)
    if found is None:
        raise NotFound()
    access_labelled(request.user, found.task_id)
    return found


@once
def overrule(request: HttpRequest, pk: int, label: int, line: int) -> HttpResponse:
    """Leave a skill (line 0) or one of its lines out of a proposed checklist, with the reason."""
    found = _proposal(request, pk)
    if request.method != "POST" and found.state != QueryChecklist.State.PROPOSED:
        raise NotFound()
    skill = get_object_or_404(SkillLabel, pk=label, domain=found.task.domain_id)
    lines = Criterion.objects.filter(version__task=skill.skill_id, version__frozen_at__isnull=False)
    criterion = get_object_or_404(lines, pk=line) if line else None
    form = OverruleForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.overrule(
                actor=request.user,
                checklist=found,
                label=skill,
                criterion=criterion,
                reason=form.cleaned_data["reason"],
            )
            said = _("Left out. The reason stays with the checklist.")
            return go(request, said, "query-checklist", found.task_id)
    context = {"checklist": found, "label": skill, "criterion": criterion, "form": form}
    return render(
        request, "methods/query_checklists/overrule.html", context, status=status_of(form)
    )


@once
def add_skill(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a skill to a proposed checklist although no label activates it."""
    found = _proposal(request, pk)
    addable = page_queries.addable_to(found)
    form = AddSkillForm(request.POST, labels=addable)
    with refused_at(form):
        if form.is_valid():
            skill = next(one for one in addable if one.pk == form.cleaned_data["label"])
            actions.overrule(
                actor=request.user,
                checklist=found,
                label=skill,
                reason=form.cleaned_data["reason"],
            )
            said = _("Added. The reason stays with the checklist.")
            return go(request, said, "query-checklist", found.task_id)
    return _page(request, access_labelled(request.user, found.task_id), add=form)


def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back what was overruled on a proposed checklist."""
    rows = ChecklistOverrule.objects.select_related("label", "criterion")
    row = get_object_or_404(rows, pk=pk)
    found = _proposal(request, row.checklist_id)
    actions.take_back_overrule(actor=request.user, checklist=found, overruled=row)
    return go(request, _("Taken back."), "query-checklist", found.task_id)


def use(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a proposed checklist in use."""
    found = _proposal(request, pk)
    sha256 = request.POST.get("sha256", "")
    actions.put_in_use(actor=request.user, checklist=found, sha256=sha256)
    said = _("In use. Its lines stay as they are from now on.")
    return go(request, said, "query-checklist", found.task_id)


def drop(request: HttpRequest, pk: int) -> HttpResponse:
    """Drop a proposed checklist."""
    found = _proposal(request, pk)
    actions.drop_checklist(actor=request.user, checklist=found)
    return go(request, _("Dropped."), "query-checklist", found.task_id)
