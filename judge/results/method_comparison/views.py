"""Views that compare runs of several methods with experts' grades."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.results.method_comparison import page
from judge.runs.pages.forms import JudgedRunsForm


def method_comparison(request: HttpRequest) -> HttpResponse:
    """Show how far each chosen run agrees with the experts, and what it took."""
    form = JudgedRunsForm(request.GET)
    refused = "" if form.is_valid() else _("Choose among the runs below.")
    chosen = form.cleaned_data.get("runs")
    return render(
        request,
        "results/method_comparison/comparison.html",
        {
            "form": form,
            "p": page.comparison_page(chosen) if chosen and not refused else None,
            "refused": refused,
            "query": request.GET.urlencode(),
        },
        status=400 if refused else 200,
    )


def method_comparison_json(request: HttpRequest) -> JsonResponse:
    """Return the comparison as `compare_methods --json` prints it."""
    form = JudgedRunsForm(request.GET)
    if not form.is_valid():
        raise BadInput(_("Choose the runs on the page of methods compared."))
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.results.method_comparison.queries import compare_methods

    return JsonResponse(compare_methods(form.cleaned_data["runs"]).as_dict())
