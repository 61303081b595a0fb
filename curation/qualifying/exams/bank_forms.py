"""Forms of exams, blueprints and questions, and the import of questions."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.refusals import BadInput
from curation.qualifying.exams.bank_actions import MOST_POINTS, mark_of
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.bank_queries import TopicRow

K = Question.Kind


# --- staff: settings ------------------------------------------------------------------------------
class ExamForm(forms.ModelForm):
    """The settings of an exam."""

    class Meta:
        model = Exam
        fields = (
            "title", "title_zh", "minutes", "pass_percent", "attempts", "wait_hours",
            "marking_days", "shuffle",
        )  # fmt: skip
        labels = {
            "title": _("Title"),
            "title_zh": _("Title in Chinese"),
            "minutes": _("Minutes"),
            "pass_percent": _("Pass mark, in per cent of the points"),
            "attempts": _("Attempts"),
            "wait_hours": _("Hours to wait between two attempts"),
            "marking_days": _("Days a senior has to mark short texts"),
            "shuffle": _("Shuffle questions and options again for each sitting"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = {
            "minutes": (1, 600),
            "pass_percent": (1, 100),
            "attempts": (1, 20),
            "wait_hours": (0, 8760),
            "marking_days": (1, 60),
        }
        for name, (least, most) in limits.items():
            self.fields[name] = forms.IntegerField(
                label=self.fields[name].label,
                min_value=least,
                max_value=most,
                initial=self.fields[name].initial,
                widget=forms.NumberInput(attrs={"class": "is-num"}),
            )


def read_blueprint(
    data: QueryDict, rows: Sequence[TopicRow]
) -> tuple[list[tuple[str, int | None, int]], dict[str, int]]:
    """Read the blueprint that was sent: (its rows, field name -> count as typed).

    Raises:
        BadInput: a count that is no whole number from 0 to 100.
    """
    blueprint: list[tuple[str, int | None, int]] = []
    typed: dict[str, int] = {}
    for row in rows:
        for name, count, _have in row.wanted:
            # A topic that a colleague has added since the page was opened stays as it is.
            raw = data.get(name, str(count)).strip() or "0"
            if not (raw.isdecimal() and raw.isascii() and len(raw) < 4 and int(raw) <= 100):
                raise BadInput(
                    fields={
                        "": [
                            gettext("“%(topic)s”: type how many to draw, a number from 0 to 100.")
                            % {"topic": row.topic}
                        ]
                    }
                )
            typed[name] = int(raw)
            if typed[name]:
                blueprint.append((row.topic, int(name.rsplit("-", 1)[1]) or None, typed[name]))
    return blueprint, typed


# --- staff: questions -----------------------------------------------------------------------------
class QuestionForm(forms.Form):
    """A question as staff write it: one option per line, with a star before the right ones."""

    kind = forms.ChoiceField(label=_("Kind"), choices=K.choices)
    topic = forms.CharField(
        label=_("Topic"),
        max_length=120,
        help_text=_("The blueprint draws by topic, and the result names it."),
        widget=forms.TextInput(attrs={"list": "topics"}),
        error_messages={"required": _("Name the topic it belongs to.")},
    )
    difficulty = forms.TypedChoiceField(
        label=_("Difficulty"), coerce=int, choices=Question.Difficulty.choices, initial=2
    )
    points = forms.IntegerField(
        label=_("Points"),
        min_value=1,
        max_value=MOST_POINTS,
        initial=1,
        widget=forms.NumberInput(attrs={"class": "is-num"}),
    )
    text = forms.CharField(
        label=_("Question"),
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={"required": _("Write what is asked.")},
    )
    options = forms.CharField(
        required=False,
        label=_("Options"),
        help_text=_(
            "One on each line. For a choice put * before each right one; for an order write them "
            "in the right order."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "data-kinds": "single multiple ordering"}),
    )
    value = forms.CharField(
        required=False,
        label=_("Right number"),
        max_length=40,
        widget=forms.TextInput(attrs={"class": "is-num", "data-kinds": "numeric"}),
    )
    tolerance = forms.CharField(
        required=False,
        label=_("Tolerance, up or down"),
        max_length=40,
        widget=forms.TextInput(attrs={"class": "is-num", "data-kinds": "numeric"}),
    )
    unit = forms.CharField(
        required=False,
        label=_("Unit"),
        max_length=30,
        widget=forms.TextInput(attrs={"data-kinds": "numeric"}),
    )
    guide = forms.CharField(
        required=False,
        label=_("Guide for the senior"),
        max_length=5000,
        help_text=_("What a full answer holds, and how many points each part is worth."),
        widget=forms.Textarea(attrs={"rows": 6, "data-kinds": "short"}),
    )
    study = forms.CharField(
        required=False,
        label=_("What to study"),
        max_length=2000,
        help_text=_("The candidate reads it after a wrong answer. It must not give the key away."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    was = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    @classmethod
    def of(cls, question: Question) -> "QuestionForm":
        """Return the form with the values of a stored question."""
        key: Any = question.key
        first = {
            name: getattr(question, name)
            for name in ("kind", "topic", "difficulty", "points", "text", "unit", "study")
        }
        if question.kind == K.NUMERIC:
            first |= {"value": key["value"], "tolerance": key.get("tolerance", "")}
        elif question.kind == K.SHORT:
            first["guide"] = key["guide"]
        elif question.kind == K.ORDERING:
            first["options"] = "\n".join(question.options[place] for place in key)
        else:
            first["options"] = "\n".join(
                f"* {text}" if place in key else text for place, text in enumerate(question.options)
            )
        return cls(initial=first | {"was": mark_of(question)})

    def values(self) -> dict[str, Any]:
        """Return the fields of the question, limited to what its kind needs."""
        data = self.cleaned_data
        kind = data["kind"]
        options: list[str] = []
        if kind == K.NUMERIC:
            key: Any = {"value": data["value"]}
            if data["tolerance"]:
                key["tolerance"] = data["tolerance"]
        elif kind == K.SHORT:
            key = {"guide": data["guide"]}
        else:
            lines = [line.strip() for line in data["options"].splitlines() if line.strip()]
            starred = [line.startswith("*") for line in lines]
            ordering = kind == K.ORDERING
            options = lines if ordering else [line.removeprefix("*").strip() for line in lines]
            key = [n for n, star in enumerate(starred) if star or ordering]
        return {
            **{name: data[name] for name in ("kind", "topic", "difficulty", "points", "text")},
            "options": options,
            "key": key,
            "unit": data["unit"] if kind == K.NUMERIC else "",
            "study": data["study"],
        }

    def show_refusal(self, refusal: BadInput) -> None:
        """Show a refusal; problems of the key go to the form field that holds it for this kind."""
        kind = self.cleaned_data.get("kind")
        key_field = {"numeric": "value", "short": "guide"}.get(str(kind), "options")
        for name, sentences in refusal.fields.items():
            where = key_field if name == "key" else name
            words = [_HINTS.get(str(kind), sentences[0])] if name == "key" else sentences
            self.add_error(where if where in self.fields else None, words)


_HINTS: dict[str, Any] = {
    "single": _("Write at least two options and put * before the one that is right."),
    "multiple": _("Write at least two options and put * before each right one."),
    "ordering": _("Write at least two items, in the right order."),
    "numeric": _("Write the right number and, if it matters, a tolerance, such as 1.24 and 0.01."),
    "short": _("Write what a full answer holds. The senior marks by it."),
}


class QuestionFilter(forms.Form):
    words = forms.CharField(required=False, max_length=100, label=_("Words"))
    topic = forms.ChoiceField(required=False, label=_("Topic"))
    difficulty = forms.ChoiceField(
        required=False,
        label=_("Difficulty"),
        choices=[("", _("Any")), *Question.Difficulty.choices],
    )
    kind = forms.ChoiceField(
        required=False, label=_("Kind"), choices=[("", _("All kinds")), *K.choices]
    )
    active = forms.ChoiceField(
        required=False,
        label=_("State"),
        choices=[("", _("All")), ("yes", _("Can be drawn")), ("no", _("Retired"))],
    )

    def __init__(self, *args: Any, topics: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["topic"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("All topics")), *((topic, topic) for topic in topics)]


class ImportForm(forms.Form):
    """A file of questions, one JSON object per line."""

    MOST_BYTES = 2_000_000

    file = forms.FileField(
        label=_("File"),
        help_text=_("One question on each line, as a JSON object, in UTF-8."),
        error_messages={"required": _("Choose a file.")},
    )

    def clean_file(self) -> UploadedFile:
        """Refuse a file that is too large for a page."""
        file: UploadedFile = self.cleaned_data["file"]
        if file.size and file.size > self.MOST_BYTES:
            raise forms.ValidationError(gettext("The file is larger than 2 MB. Split it."))
        return file
