"""Pages of alignment sets: draw one, follow its sheets."""

import secrets
from collections import Counter
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.base.text import storable
from curation.base.web.fields import set_numbers
from curation.base.web.once import once
from curation.base.web.refusals import BadInput
from curation.base.web.step import go
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.forms import OrderedSetField
from judge.base.gold_sets.task_sets import ALL, EVERY_TASK, TaskSet, label_of
from judge.results.alignment_sets import actions, queries
from judge.results.alignment_sets.actions import MOST_SHEETS, Pool
from judge.results.alignment_sets.drawing import Sample, SampleSpec
from judge.results.alignment_sets.models import MOST_SCORERS, AlignmentSet


class SetForm(forms.Form):
    """Quota, flagged responses, scorers, seed, domains and candidates of a set."""

    quota = forms.IntegerField(
        label=_("Responses of each candidate in each domain"),
        min_value=0,
        max_value=MOST_SHEETS,
        initial=2,
    )
    flagged = forms.BooleanField(
        label=_("Add the responses with a flagged verdict"),
        required=False,
        help_text=_(
            "They come on top of the sample, also where experts have scored them: then others are "
            "asked. The report counts these sheets only on request, as they were not drawn at "
            "random."
        ),
    )
    scorers = forms.IntegerField(
        label=_("Scorers of each response"),
        min_value=1,
        max_value=MOST_SCORERS,
        initial=1,
        help_text=_("With two or more, their agreement shows how close any judge can come."),
    )
    form = forms.ChoiceField(
        label=_("How they score"),
        required=False,
        choices=AlignmentSet.Form.choices,
        initial=AlignmentSet.Form.LINES,
        widget=forms.RadioSelect,
        help_text=_("One grade goes with judges that grade the whole answer."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**63 - 1,
        help_text=_("Same responses, seed and numbers give the same sample on any machine."),
    )
    tasks = OrderedSetField(label=_("Set of tasks"))
    domains = forms.MultipleChoiceField(
        label=_("Domains"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one domain.")},
    )
    candidates = forms.MultipleChoiceField(
        label=_("Candidates"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one candidate.")},
    )

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        there = {one.domain for one in pool.found.values()}
        self.domain_names = {d.key: str(d) for d in Domain.objects.all() if d.key in there}
        self.fields["domains"].choices = list(self.domain_names.items())  # type: ignore[attr-defined]
        names = sorted({one.candidate for one in pool.found.values()})
        self.fields["candidates"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]

    def spec(self) -> SampleSpec:
        """Return the settings of the sample."""
        values = self.cleaned_data
        return SampleSpec(
            quota=values["quota"],
            seed=values["seed"],
            domains=tuple(sorted(values["domains"])),
            candidates=tuple(sorted(values["candidates"])),
            scorers=values["scorers"],
            flagged=values["flagged"],
            tasks=str(values["tasks"]),
            form=values["form"] or AlignmentSet.Form.LINES,
        )


SHOWN = 30  # responses of a preview
FIRST_QUOTA = 5  # at most proposed, if every stratum can fill it


def sets(request: HttpRequest) -> HttpResponse:
    """List the sets with their progress."""
    return render(
        request,
        "results/alignment_sets/sets.html",
        {
            "rows": queries.set_rows(),
            "any": Response.objects.filter(baseline=False).exists(),
        },
    )


def one_set(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a set: progress, scorers, agreement and responses."""
    found = get_object_or_404(AlignmentSet.objects.select_related("created_by"), pk=pk)
    return render(
        request,
        "results/alignment_sets/set.html",
        {"page": queries.set_page(found), "task_set": label_of(found.task_set)},
    )


@once
def new_set(request: HttpRequest) -> HttpResponse:
    """Preview a sample; on POST draw the set and assign its sheets."""
    sent = request.method == "POST"
    values = request.POST if sent else request.GET
    pool = actions.pool_for(_scorers(values), _tasks(values), values.get("form", "lines"))
    form = SetForm(values if sent else _given(request.GET, pool), pool=pool)
    sample: Sample | None = None
    if form.is_valid():
        try:
            if sent:
                made = actions.draw_alignment_set(actor=request.user, spec=form.spec())
                return _drawn(request, made)
            sample = actions.sample_for(pool, form.spec())
            refusal = actions.shortfall(sample)
        except BadInput as refused:
            refusal = refused
            if refused.code == "shortfall":
                sample = actions.sample_for(pool, form.spec())
        if refusal is not None:
            for name, said in (refusal.fields or {"quota": [refusal.detail]}).items():
                for sentence in said:
                    form.add_error(name, str(sentence))
    return render(
        request,
        "results/alignment_sets/set_new.html",
        {
            "form": form,
            "pool": pool,
            "sample": sample,
            "rows": _rows(form, sample),
            "left_out": _left_out(pool, sample) if sample and "flagged" in form.data else None,
            "again": sum(pool.found[key].sheets > 0 for key in sample.flagged) if sample else 0,
            "preview": [pool.found[key] for key in sample.responses[:SHOWN]] if sample else [],
            "sheets": len(sample.responses) * pool.scorers if sample else 0,
            "spec": list(_sendable(form.data)) if sample and not sample.short else [],
        },
        # If our own proposal cannot be drawn, that is no error of the visitor.
        status=400 if form.errors and (sent or "quota" in request.GET) else 200,
    )


def _scorers(values: QueryDict) -> int:
    number = storable.whole_number(values.get("scorers", "1"), digits=2)
    return 1 if number is None else number


def _tasks(values: QueryDict) -> TaskSet:
    """Return the set asked for; every task where the name is wrong, which the form refuses."""
    try:
        return task_sets.parse(values.get("tasks", "") or ALL)
    except BadInput:
        return EVERY_TASK


def _given(sent: QueryDict, pool: actions.Pool) -> QueryDict:
    """Return the settings given; at first the largest even sample, up to five of each.

    Where flagged responses are asked for, it holds their domains and candidates too; if the sample
    cannot be even then, their own only, and the flagged responses alone where nothing else waits
    there.
    """
    given = sent.copy()
    given.setdefault("scorers", "1")
    given.setdefault("form", "lines")
    if "seed" not in given:
        given["seed"] = str(secrets.randbelow(10**8))
    if "quota" not in given:
        eligible: list[Any] = pool.eligible or list(pool.found.values())
        domains = sorted({one.domain for one in eligible})
        candidates = sorted({one.candidate for one in eligible})
        tasks = {(one.domain, one.candidate, pool.found[one.key].task) for one in pool.eligible}
        there = Counter((domain, candidate) for domain, candidate, _task in tasks)
        # Propose only candidates with responses in every domain, so that no stratum falls short.
        everywhere = [c for c in candidates if all(there[d, c] for d in domains)]
        if not everywhere and domains:  # then the domain with the most responses alone
            domains = [max(domains, key=lambda d: sum(there[d, c] for c in candidates))]
            everywhere = [c for c in candidates if there[domains[0], c]]
        candidates = everywhere or candidates
        if pool.marked and not pool.eligible:
            given["flagged"] = "on"
        if "flagged" in given and (flagged := pool.flagged):
            theirs = {one.domain for one in flagged}, {one.candidate for one in flagged}
            all_domains, all_candidates = theirs[0].union(domains), theirs[1].union(candidates)
            even = all(there[d, c] for d in all_domains for c in all_candidates)
            domains = sorted(all_domains if even else theirs[0])
            candidates = sorted(all_candidates if even else theirs[1])
        least = min((there[d, c] for d in domains for c in candidates), default=1)
        given.setlist("domains", domains)
        given.setlist("candidates", candidates)
        alone = bool(pool.marked) and (not pool.eligible or not least)
        given["quota"] = "0" if alone else str(max(1, min(least, FIRST_QUOTA)))
    return given


def _left_out(pool: actions.Pool, sample: Sample) -> dict[str, int]:
    """Count the flagged responses that the draw does not hold, by what keeps them out.

    Experts are scoring them or were `asked` for a flag, or too few people may score them, or they
    are `outside` its domains and candidates.
    """
    scorable = {one.key for one in pool.flagged}
    return {
        "asked": pool.asked,
        "without_scorers": len(pool.marked) - len(scorable),
        "outside": len(scorable - set(sample.responses)),
    }


def _rows(form: SetForm, sample: Sample | None) -> list[dict[str, Any]]:
    """Return the strata by domain."""
    if sample is None:
        return []
    return [
        {"domain": name, "shares": [share for share in sample.shares if share.domain == key]}
        for key, name in form.domain_names.items()
        if any(share.domain == key for share in sample.shares)
    ]


def _sendable(values: Any) -> Any:
    """Yield the settings as hidden fields of the form that draws."""
    for name in ("quota", "flagged", "scorers", "form", "seed", "tasks", "domains", "candidates"):
        for value in values.getlist(name):
            yield name, value


def _drawn(request: HttpRequest, made: AlignmentSet) -> HttpResponse:
    sheets = made.items.count() * made.scorers
    return go(
        request,
        ngettext(
            "Drawn. %(n)s sheet is assigned and due in seven days; its scorer sees it on the "
            "home page.",
            "Drawn. %(n)s sheets are assigned and due in seven days; their scorers see them on "
            "the home page.",
            sheets,
        )
        % {"n": sheets},
        "alignment-set",
        made.pk,
    )
