"""Staff's pages of anchors: their stages, the policy of scoring, another baseline."""

from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField, once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.policies import latest
from judge.asking.candidates.models import Response
from judge.asking.endpoints.choices import ChosenModelField
from judge.scoring.anchors import queries
from judge.scoring.anchors.actions import set_anchor_policy
from judge.scoring.anchors.models import Anchor, AnchorPolicy
from judge.scoring.anchors.queries import free_responses
from judge.scoring.anchors.replace import replace_baseline


class PolicyForm(forms.ModelForm):
    """One scorer, or two whose differences a senior settles."""

    read = ReadVersionField()

    class Meta:
        model = AnchorPolicy
        fields = ("scorers",)
        widgets = {"scorers": forms.RadioSelect}


class BaselineForm(forms.Form):
    """The reason for another baseline, and its source: a model or an existing response."""

    reason = reason_field(
        gettext_lazy("Why another baseline?"),
        help_text=gettext_lazy("It stays on record. Scorers do not read it."),
        rows=3,
    )
    chosen = ChosenModelField()
    model = forms.CharField(
        label=gettext_lazy("Another model to ask"),
        required=False,
        max_length=160,
        help_text=gettext_lazy(
            "As PROVIDER:MODEL. Left empty, the programme’s baseline model answers once more."
        ),
    )
    response = forms.ModelChoiceField(
        label=gettext_lazy("Or an existing response"),
        required=False,
        queryset=Response.objects.none(),
        empty_label=gettext_lazy("None: ask a model"),
        help_text=gettext_lazy(
            "Responses to this task that nobody has scored and no run has judged. The one you "
            "choose no longer counts as a candidate’s response."
        ),
    )

    def __init__(self, *args: Any, anchor: Anchor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen: Any = self.fields["chosen"]
        if not chosen.offer(
            none=gettext_lazy("The programme’s baseline model, or another one named below"),
            first=True,
        ):
            del self.fields["chosen"]
        field: Any = self.fields["response"]
        field.queryset = free_responses(anchor.task_id)
        field.label_from_instance = lambda one: f"{one.candidate.name} · {one.key}"

    def values(self) -> dict[str, Any]:
        """Return the arguments of `replace_baseline`."""
        data = self.cleaned_data
        return {
            "reason": data["reason"],
            "model": data.get("chosen") or data["model"],
            "response": data["response"],
        }


PER_PAGE = 50


@once
def staff_anchors(request: HttpRequest) -> HttpResponse:
    """Show all anchors or only the poor examples, and set the policy of scoring."""
    form = PolicyForm(
        request.POST if request.method == "POST" else None,
        instance=AnchorPolicy(scorers=AnchorPolicy.current()),
        initial={"read": latest(AnchorPolicy)},
    )
    if request.method == "POST" and form.is_valid():
        set_anchor_policy(actor=request.user, **form.cleaned_data)
        return go(
            request,
            _(
                "Saved. It applies to anchors drawn from now on; those under way continue as they "
                "began."
            ),
            "gold-anchors",
        )
    poor = request.GET.get("show") == "poor"
    page = Paginator(queries.anchors(one_sided=poor), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "scoring/anchors/anchors.html",
        {
            "page": page,
            "rows": queries.anchor_rows(page.object_list),
            "poor": poor,
            "all_poor": queries.anchors(one_sided=True).count(),
            "form": form,
            "query": "show=poor&" if poor else "",
        },
        status=status_of(form),
    )


def replace(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another baseline of one anchor."""
    anchor = get_object_or_404(Anchor.objects.select_related("task", "response__candidate"), pk=pk)
    form = BaselineForm(request.POST if request.method == "POST" else None, anchor=anchor)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            replace_baseline(actor=request.user, anchor=anchor, **form.values())
            return go(
                request,
                _("Another baseline is on its way. The old one, its sheets and checks are kept."),
                "gold-anchors",
            )
    rows = queries.anchor_rows(queries.anchors().filter(pk=pk))
    return render(
        request,
        "scoring/anchors/baseline.html",
        {"row": rows[0], "form": form, "task": anchor.task},
        status=status_of(form),
    )
