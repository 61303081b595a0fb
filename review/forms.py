"""Forms of review. They carry what was typed; the actions judge it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.errors import BadInput
from review.models import RULES, ReviewPolicy, SpotCheck
from rubrics.forms import whole


def wording(data: Mapping[str, Any]) -> dict[str, Any]:
    """A line as a form proposes it: any of text, importance, weight and dimension."""
    found: dict[str, Any] = {}
    for name in ("text", "importance", "weight", "dimension"):
        value = data.get(f"suggest_{name}")
        if value is not None:
            found[name] = value
    if "weight" in found:
        number = whole(found["weight"])
        found["weight"] = found["weight"] if number is None else number
    return found


YES_NO = [("yes", _("Yes")), ("no", _("No"))]


class Answered(forms.Form):
    """A form whose refusals may also come from an action."""

    def blame(self, refused: BadInput) -> None:
        """Put an action's refusal where the person looks for it."""
        if not refused.fields:
            self.add_error(None, str(refused.detail))
        for name, sentences in refused.fields.items():
            for sentence in sentences:
                self.add_error(name if name in self.fields else None, str(sentence))


class ReasonForm(Answered):
    """A reason, in the person's own words."""

    reason = forms.CharField(
        label=_("Reason"),
        required=False,  # the action says what is missing, in its own words
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class AssignForm(Answered):
    """Which of the eligible people reviews the task."""

    reviewer = forms.TypedChoiceField(
        label=_("Reviewer"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose one of them."),
            "invalid_choice": _("This person cannot review this task. Choose one of the list."),
        },
    )

    def __init__(self, data: Any, people: Any) -> None:
        super().__init__(data)
        self.fields["reviewer"].choices = [  # type: ignore[attr-defined]
            (
                person.pk,
                ngettext("%(who)s · %(n)s open review", "%(who)s · %(n)s open reviews", n)
                % {"who": person.display_name or person.email, "n": n},
            )
            for person in people
            for n in [person.open_reviews]
        ]


class ReviewPolicyForm(Answered, forms.ModelForm):
    """The rules of a domain's reviews."""

    class Meta:
        model = ReviewPolicy
        fields = RULES
        labels = {
            "reviewers": _("Reviewers at once"),
            "quorum": _("Approvals that settle a line"),
            "rounds": _("Rounds before a senior decides"),
            "days": _("Days for a round"),
            "draw": _("Reviewers are drawn; otherwise they take places from the pool"),
            "colleagues": _("Reviewers read each other"),
            "hide_names": _("Author and reviewers do not learn each other's names"),
        }
        help_texts = {
            "reviewers": _(
                "1 to 9. Each reads every line of the same version, in rounds of theirs."
            ),
            "quorum": _(
                "At most as many as reviewers. An open request of anybody keeps the line open."
            ),
            "rounds": _("1 to 9. After the last one a senior without a seat settles what is open."),
            "days": _(
                "1 to 60. A review whose round is not finished by then is free for a colleague."
            ),
            "draw": _("Drawn: of the domain, without a tie to the author, the least busy first."),
            "hide_names": _("What was written while names were hidden stays without names."),
        }

    def _post_clean(self) -> None:
        """The action checks the rules, once for every door."""

    def rules(self) -> dict[str, Any]:
        """What `policies.change_policy` takes."""
        return {name: self.cleaned_data[name] for name in RULES}


def marked(data: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Line id -> (failed test, remark), as a form sends marks of lines; blank ones are left out."""
    found = {}
    for name, test in data.items():
        pk = whole(name.removeprefix("mark-")) if name.startswith("mark-") else None
        remark = data.get(f"remark-{pk}", "")
        if pk is not None and (test or remark.strip()):
            found[pk] = (test, remark)
    return found


class SpotCheckForm(Answered):
    """The three tests, the verdict and its reasons; `marks` holds refusals of marked lines."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.marks: dict[str, list[str]] = {}

    def blame(self, refused: BadInput) -> None:
        """Put a refusal of a mark beside its line."""
        self.marks = {
            name: [str(sentence) for sentence in found]
            for name, found in refused.fields.items()
            if name.startswith("mark-")
        }
        super().blame(refused)

    consistent = forms.ChoiceField(
        label=_("Consistent"),
        help_text=_("Lines of like importance carry like weights, and none contradicts another."),
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )
    aligned = forms.ChoiceField(
        label=_("Aligned with the task"),
        help_text=_("Every requirement of the task has its lines, and no line asks for more."),
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )
    evaluable = forms.ChoiceField(
        label=_("Evaluable"),
        help_text=_("Two colleagues would mark each line alike, from the answer alone."),
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": _("Answer yes or no.")},
    )
    remarks = forms.CharField(
        label=_("Remarks"),
        help_text=_(
            "Needed for every verdict, “Accept” too. The author reads them, and the reviewer."
        ),
        error_messages={"required": _("Give your reasons; author and reviewer read them.")},
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    verdict = forms.ChoiceField(
        choices=SpotCheck.Verdict.choices,
        widget=forms.HiddenInput,
        error_messages={"required": _("Choose: accept, send back or discard.")},
    )

    def tests(self) -> dict[str, bool]:
        """The three tests as the action takes them."""
        return {
            name: self.cleaned_data[name] == "yes"
            for name in ("consistent", "aligned", "evaluable")
        }
