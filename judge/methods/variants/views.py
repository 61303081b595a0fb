"""Pages of the texts of the judge's prompt and of variants."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.asking.prompts import PromptFile, load
from judge.asking.prompts.judge_template import JudgeText, template_from, text_of
from judge.methods.variants import actions, queries
from judge.methods.variants.forms import PromptForm, VariantForm
from judge.methods.variants.models import JudgePrompt, JudgeVariant


@once
def prompt_new(request: HttpRequest) -> HttpResponse:
    """Write a text of the judge's prompt, beginning with the built-in one or another version."""
    base, name = _base(request)
    form = PromptForm(
        request.POST if request.method == "POST" else None,
        initial={"instructions": base.instructions, "example": base.example},
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.write_prompt(actor=request.user, **form.cleaned_data)
            return go(
                request,
                _("Stored. Make a variant with it, then compare it with what is in use."),
                "judge-prompt",
                made.number,
            )
    return render(
        request,
        "results/workshop/prompt_new.html",
        {"form": form, "base": name},
        status=status_of(form),
    )


def prompt(request: HttpRequest, number: int) -> HttpResponse:
    """Show a text of the prompt beside the built-in one."""
    found = get_object_or_404(JudgePrompt.objects.select_related("by"), number=number)
    template = template_from(found.content)
    return render(
        request,
        "results/workshop/prompt.html",
        {
            "prompt": found,
            "text": text_of(template),
            "built_in": text_of(load("judge")),
            "whole": _sections(template),
            "variants": found.variants.order_by("name"),
        },
    )


@once
def variant_new(request: HttpRequest) -> HttpResponse:
    form = VariantForm(request.POST if request.method == "POST" else None, initial=_given(request))
    if request.method == "POST" and form.is_valid():
        with refused_at(form, names={"parameters": "temperature"}):
            made = actions.make_variant(actor=request.user, **form.settings())
            return go(
                request,
                _("Stored. Compare it with another variant, or use it for new runs."),
                "judge-variant",
                made.pk,
            )
    return render(
        request, "results/workshop/variant_new.html", {"form": form}, status=status_of(form)
    )


def variant(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a variant with its runs."""
    found = get_object_or_404(JudgeVariant.objects.select_related("prompt", "by"), pk=pk)
    return render(
        request,
        "results/workshop/variant.html",
        {
            "variant": found,
            "settings": queries.settings_in_words(found),
            "runs": found.runs.all()[:20],
            "is_default": queries.current_default() == found,
        },
    )


def _base(request: HttpRequest) -> tuple[JudgeText, str]:
    """Return the text to begin with and its name: of the version named by `from`."""
    wanted = request.GET.get("from", "")
    if not wanted:
        return text_of(load("judge")), _("the built-in prompt")
    number = storable.whole_number(wanted, digits=9)
    found = None if number is None else JudgePrompt.objects.filter(number=number).first()
    if found is None:
        raise NotFound()
    return text_of(template_from(found.content)), str(found)


def _given(request: HttpRequest) -> dict[str, Any]:
    """Return what a link to the form fills in: the prompt that was just written."""
    number = storable.whole_number(request.GET.get("prompt", ""), digits=9)
    found = None if number is None else JudgePrompt.objects.filter(number=number).first()
    return {"prompt": found.pk} if found else {}


def _sections(template: PromptFile) -> list[tuple[str, str]]:
    names = {
        "prefix": _("Before the example"),
        "exemplar": _("The example"),
        "suffix": _("The response to judge"),
    }
    return [(names[name], text) for name, text in template.sections.items() if name in names]
