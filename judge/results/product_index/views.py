"""Pages of the index, of products, their versions and periods, for staff."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.process.stored_results import FAILED, WAITING
from curation.base.text.storable import storable
from curation.base.web import csv_export
from curation.base.web.once import once
from curation.base.web.parts import to_reload, wants_parts
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets import task_sets
from judge.base.products import EvaluationPeriod, Product
from judge.results.product_index import actions, queries, version_queries
from judge.results.product_index.forms import (
    ChangeProductForm,
    IndexFilter,
    MatrixForm,
    PeriodDaysForm,
    PeriodForm,
    ProductForm,
    VersionForm,
)
from judge.results.product_index.models import ScoreMatrix
from judge.results.product_index.scores import MATRIX, Scores, find_scores
from judge.results.product_index.stored import has_ended, last_index
from judge.runs.engine.models import JudgeRun

if TYPE_CHECKING:  # numpy is loaded by the first index, not at the start of every process
    from judge.results.product_index.index import Index


@dataclass(frozen=True)
class _Asked:
    """An index that was asked for.

    Attributes:
        index: the last one; None where there are no scores, or the first is being computed.
        coming, failed: whether a new one is being computed, or could not be.
        made_of: the hash of what the last one was made of.
    """

    group: str
    scores: Scores
    index: "Index | None" = None
    coming: bool = False
    failed: bool = False
    made_of: str = ""


def index(request: HttpRequest) -> HttpResponse:
    """Show the index of the chosen scores; in the background, say whether there is a new one."""
    if wants_parts(request):
        return _wait(request)
    asked = _asked(request)
    found = asked.index if asked else None
    form = IndexFilter(
        {
            "group": asked.group if asked else "",
            "run": request.GET.get("run", ""),
            "reference": request.GET.get("reference", ""),
        }
    )
    form.offer(found.periods if found else [], asked.group if asked else "")
    choice = {name: request.GET.get(name, "") for name in ("run", "reference")}
    context: dict[str, Any] = {
        "form": form,
        "asked": asked,
        "waits_at": asked
        and "?" + urlencode({"group": asked.group, **choice, "made_of": asked.made_of}),
        "scores": asked.scores if asked else None,
    }
    if asked and found:
        context |= {
            "found": found,
            "finding": queries.finding(found),
            "notes": queries.notes(found, asked.scores.left_out),
            "parts": queries.product_parts(found),
            "tasks": queries.task_rows(found.tasks, ours=asked.scores.judge is not None),
            "query": urlencode(
                {
                    "group": asked.group,
                    "run": request.GET.get("run", ""),
                    "reference": found.reference,
                }
            ),
        }
    return render(request, "results/product_index/index.html", context)


def _wait(request: HttpRequest) -> HttpResponse:
    """Have the page loaded again once there is another index than the one it shows, or none comes.

    The page then says which.
    """
    names = ("group", "run", "reference", "made_of")
    asked = {name: storable(request.GET.get(name, ""))[0] for name in names}
    return to_reload(HttpResponse()) if has_ended(**asked) else HttpResponse(status=204)


def index_json(request: HttpRequest) -> HttpResponse:
    """Return the index as the command prints it."""
    return JsonResponse(_required(request).as_dict())


def index_csv(request: HttpRequest) -> HttpResponseBase:
    """Download the abilities as a table."""
    found = _required(request)
    return csv_export.download(
        "index.csv",
        ["product", "version", "period", "theta", "se", "low", "high", "tasks", "why"],
        [
            [
                row.product,
                row.version,
                row.period,
                *_or_empty(row.ability.theta, row.ability.se, *(row.ability.ci95 or (None, None))),
                row.tasks,
                row.ability.why.value if row.ability.why else "",
            ]
            for row in found.rows
        ],
    )


def _or_empty(*numbers: float | None) -> list[Any]:
    return ["" if number is None else round(number, 4) for number in numbers]


def _asked(request: HttpRequest) -> _Asked | None:
    """Return the index asked for; None if none is named and there is nothing to show."""
    wanted, run = request.GET.get("group", ""), request.GET.get("run", "")
    asked = None
    for group in [wanted] if wanted else _default_groups(run):
        asked = _Asked(group, find_scores(group, run=run))
        if any(cell.score is not None for cell in asked.scores.cells):
            break
    else:
        return asked
    last = last_index(
        group=asked.group,
        run=run,
        reference=request.GET.get("reference", ""),
        scores=asked.scores,
    )
    return _Asked(
        asked.group,
        asked.scores,
        last.index,
        coming=last.state == WAITING,
        failed=last.state == FAILED,
        made_of=last.made_of,
    )


def _default_groups(run: str) -> list[str]:
    """Return what is shown if nothing is chosen: the tasks not held out, else the newest matrix."""
    groups = []
    finished = JudgeRun.objects.filter(state=JudgeRun.State.FINISHED)
    if Product.objects.exists() and (run or finished.exists()):
        groups.append(task_sets.OPEN)
    newest = ScoreMatrix.objects.order_by("-pk").values_list("name", flat=True).first()
    return [*groups, f"{MATRIX}{newest}"] if newest else groups


def _required(request: HttpRequest) -> "Index":
    asked = _asked(request)
    if asked and asked.coming:
        raise Conflict(
            _("This index is being computed. Ask for it again in a minute."), code="being_computed"
        )
    if asked and asked.failed:
        raise Conflict(_("This index could not be computed."), code="not_computed")
    if asked is None or asked.index is None:
        raise NotFound(_("There are no scores to make an index of."))
    return asked.index


def availability(request: HttpRequest) -> HttpResponse:
    """Show versions × periods: measured, unpublished, offline, not asked."""
    context = {"table": version_queries.availability()}
    return render(request, "results/product_index/availability.html", context)


@once
def matrices(request: HttpRequest) -> HttpResponse:
    """List the imported matrices, and import one."""
    posted = request.method == "POST"
    form = MatrixForm(request.POST, request.FILES) if posted else MatrixForm()
    if posted and form.is_valid():
        upload = form.cleaned_data["file"]
        with refused_at(form):
            made = actions.import_matrix(
                actor=request.user,
                name=form.cleaned_data["name"],
                source=form.cleaned_data["source"],
                content=upload.read(),
                file_name=upload.name,
            )
            return go(
                request,
                ngettext("Imported %(n)s line.", "Imported %(n)s lines.", len(made.cells))
                % {"n": f"{len(made.cells):,}"},
                f"{reverse('product-index')}?{urlencode({'group': MATRIX + made.name})}",
            )
    return render(
        request,
        "results/product_index/matrices.html",
        {
            "form": form,
            "rows": ScoreMatrix.objects.select_related("by").defer("cells").order_by("-pk"),
            "prefix": MATRIX,
        },
        status=status_of(form),
    )


@once
def products(request: HttpRequest) -> HttpResponse:
    """List the products, and enter one."""
    form = ProductForm(request.POST) if request.method == "POST" else ProductForm()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.add_product(actor=request.user, **form.cleaned_data)
            return go(request, _("Entered. Now add its versions."), "product", made.pk)
    return render(
        request,
        "results/product_index/products.html",
        {"form": form, "rows": version_queries.product_rows()},
        status=status_of(form),
    )


def product(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and change a product with its versions."""
    found = get_object_or_404(Product, pk=pk)
    form = ChangeProductForm.of(found, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.change_product(actor=request.user, product=found, **form.cleaned_data)
            return go(request, _("Saved."), "product", pk)
    return _product_page(request, found, form, VersionForm(product=found))


def put_version(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a candidate a version of a product, or change its version and days."""
    found = get_object_or_404(Product, pk=pk)
    form = VersionForm(request.POST, product=found)
    if form.is_valid():
        with refused_at(form):
            actions.put_version(actor=request.user, product=found, **form.cleaned_data)
            return go(request, _("Saved. It is a version of this product."), "product", pk)
    return _product_page(request, found, ChangeProductForm.of(found), form)


def _product_page(
    request: HttpRequest, found: Product, form: ChangeProductForm, version: VersionForm
) -> HttpResponse:
    wrong = bool(form.errors or version.errors)
    return render(
        request,
        "results/product_index/product.html",
        {
            "product": found,
            "form": form,
            "version": version,
            "versions": version_queries.versions_of(found.pk),
        },
        status=400 if wrong else 200,
    )


def take_out_version(request: HttpRequest, pk: int, candidate: int) -> HttpResponse:
    """Let a candidate stand alone again."""
    found = get_object_or_404(Product, pk=pk)
    one = get_object_or_404(Candidate, pk=candidate)
    actions.take_out_version(actor=request.user, product=found, candidate=one)
    return go(request, _("Taken out. Its responses stay."), "product", pk)


@once
def periods(request: HttpRequest) -> HttpResponse:
    """List the periods, and enter one."""
    form = PeriodForm(request.POST) if request.method == "POST" else PeriodForm()
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.add_period(actor=request.user, **form.cleaned_data)
            return go(request, _("Entered."), "periods")
    return render(
        request,
        "results/product_index/periods.html",
        {"form": form, "rows": version_queries.period_rows()},
        status=status_of(form),
    )


def period(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the days of a period."""
    found = get_object_or_404(EvaluationPeriod, pk=pk)
    initial = {"starts_on": found.starts_on, "ends_on": found.ends_on}
    form = PeriodDaysForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.change_period(actor=request.user, period=found, **form.cleaned_data)
            return go(request, _("Saved."), "periods")
    return render(
        request,
        "results/product_index/period.html",
        {"period": found, "form": form},
        status=status_of(form),
    )


def adopt(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the responses of a period's days that are in no period into it."""
    found = get_object_or_404(EvaluationPeriod, pk=pk)
    taken = actions.adopt_responses(actor=request.user, period=found)
    if not taken:
        raise BadInput(_("There is no response without a period from these days."))
    return go(
        request,
        ngettext("%(n)s response is in it now.", "%(n)s responses are in it now.", taken)
        % {"n": f"{taken:,}"},
        "periods",
    )
