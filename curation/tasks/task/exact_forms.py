"""The forms of an exact answer with its steps, and of the list of refused sources."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import reason_field
from curation.tasks.task.exact_actions import LONGEST, WRITTEN
from curation.tasks.task.exact_checks import MOST_STEPS, Step
from curation.tasks.task.exact_models import ExactAnswer, SolutionStep

SPARE_ROWS, FEWEST_ROWS = 2, 4


class AnswerFields(forms.Form):
    """The answer itself: what is compared with what candidates say."""

    answer = forms.CharField(
        required=False,
        label=_("Answer"),
        strip=False,
        help_text=_("One number, or at most twelve words. Models and solvers never see it."),
        widget=forms.TextInput(attrs={"maxlength": LONGEST["answer"]}),
    )
    kind = forms.ChoiceField(
        required=False,
        label=_("Kind of answer"),
        choices=ExactAnswer.Kind.choices,
        widget=forms.RadioSelect,
    )
    unit = forms.CharField(
        required=False,
        label=_("Unit"),
        strip=False,
        help_text=_("Of a number, such as km or 家. An answer without it counts as well."),
        widget=forms.TextInput(attrs={"maxlength": LONGEST["unit"]}),
    )
    tolerance = forms.DecimalField(
        required=False,
        label=_("Tolerance"),
        help_text=_("How far a number may be off. Empty: not at all."),
    )
    tolerance_is_percent = forms.BooleanField(
        required=False, label=_("The tolerance is a per cent of the answer")
    )
    alternatives = forms.CharField(
        required=False,
        label=_("Further forms that count as right"),
        strip=False,
        help_text=_("One on each line, such as another spelling or language."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    @staticmethod
    def initial_of(exact: ExactAnswer) -> dict[str, Any]:
        """Return what the boxes hold for a saved answer."""
        tolerance: Decimal | None = exact.tolerance
        return {
            **{name: getattr(exact, name) for name in AnswerFields.base_fields},
            "tolerance": None if tolerance is None else f"{tolerance.normalize():f}",
            "alternatives": "\n".join(exact.alternatives),
        }


def written(read: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the answer that a form has read, as `clean_exact` takes them."""
    values = {name: read.get(name) for name in AnswerFields.base_fields}
    return values | {
        "kind": values["kind"] or ExactAnswer.Kind.WORDS,
        "alternatives": (values["alternatives"] or "").splitlines(),
    }


class ExactForm(AnswerFields):
    """The answer of a draft, what its author says of it, and the steps, one row each."""

    level = forms.TypedChoiceField(
        required=False,
        label=_("Level"),
        coerce=int,
        empty_value=None,
        choices=[("", _("Not chosen yet")), *ExactAnswer.Level.choices],
    )
    cutoff = DayField(
        label=_("Cut-off date"),
        help_text=_("All pages that one needs were published before this day."),
    )
    why_unique = forms.CharField(
        required=False,
        label=_("Why there is no other right answer"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    why_stable = forms.CharField(
        required=False,
        label=_("Why the answer stays the same"),
        strip=False,
        help_text=_("Also why its pages will stay where they are."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def __init__(self, *args: Any, rows: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows = min(MOST_STEPS, max(FEWEST_ROWS, rows))
        for n in range(1, self.rows + 1):
            self.fields |= {
                f"step-{n}-text": forms.CharField(
                    required=False,
                    label=_("Step %(n)s") % {"n": n},
                    strip=False,
                    widget=forms.Textarea(attrs={"rows": 2}),
                ),
                f"step-{n}-source": forms.CharField(
                    required=False,
                    label=_("Page of step %(n)s") % {"n": n},
                    widget=forms.TextInput(attrs={"inputmode": "url"}),
                ),
                f"step-{n}-date": DayField(label=_("Day of the page of step %(n)s") % {"n": n}),
            }

    @classmethod
    def of(cls, exact: ExactAnswer, steps: Sequence[SolutionStep]) -> "ExactForm":
        """Return the form with the saved answer and steps, and rows to spare."""
        initial: dict[str, Any] = {
            **cls.initial_of(exact),
            **{name: getattr(exact, name) for name in WRITTEN if name not in cls.of_the_answer()},
            "revision": exact.revision,
        }
        for n, step in enumerate(steps, 1):
            initial |= {
                f"step-{n}-text": step.text,
                f"step-{n}-source": step.source,
                f"step-{n}-date": step.source_date,
            }
        return cls(initial=initial, rows=len(steps) + SPARE_ROWS)

    @classmethod
    def sent(cls, data: Mapping[str, Any]) -> "ExactForm":
        sent = [n for n in range(1, MOST_STEPS + 1) if f"step-{n}-text" in data]
        return cls(data, rows=max(sent, default=0))

    @staticmethod
    def of_the_answer() -> tuple[str, ...]:
        """Return the names of the boxes of the answer itself."""
        return tuple(AnswerFields.base_fields)

    def values(self) -> dict[str, Any]:
        """Return the values of `WRITTEN` that were sent."""
        others = {
            name: self.cleaned_data.get(name)
            for name in WRITTEN
            if name not in self.of_the_answer()
        }
        return {**written(self.cleaned_data), **others}

    def steps(self) -> list[Step]:
        """Return the steps that were sent; rows without a word are left out."""
        return [
            Step(text, source, day) for text, source, day in self._rows() if text or source or day
        ]

    def names_of_steps(self) -> dict[str, str]:
        """Return the action's names of boxes -> the form's, since empty rows do not count."""
        filled = [n for n, row in enumerate(self._rows(), 1) if any(row)]
        return {
            f"step-{place}-{box}": f"step-{n}-{box}"
            for place, n in enumerate(filled, 1)
            for box in ("text", "source")
        }

    def _rows(self) -> Iterator[tuple[str, str, date | None]]:
        said = self.cleaned_data
        for n in range(1, self.rows + 1):
            text = (said.get(f"step-{n}-text") or "").strip()
            yield text, said.get(f"step-{n}-source") or "", said.get(f"step-{n}-date")

    def step_rows(self) -> list[dict[str, Any]]:
        """Return the boxes of each step, for the template."""
        return [
            {"n": n, **{box: self[f"step-{n}-{box}"] for box in ("text", "source", "date")}}
            for n in range(1, self.rows + 1)
        ]


class RefusedSourceForm(forms.Form):
    """The end of a host name whose pages do not count as sources."""

    suffix = forms.CharField(
        required=False,
        label=_("End of the host name"),
        help_text=_("blogs.example.com also covers my.blogs.example.com."),
    )
    reason = reason_field(help_text=_("Authors read it beside the step."), rows=2)


class TakeOffForm(forms.Form):
    """Names the row of the list that is taken off."""

    source = forms.IntegerField(min_value=1, max_value=2**63 - 1)
