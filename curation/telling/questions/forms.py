"""Forms of questions and answers."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.forms import DomainChoice, domain_filter
from curation.telling.questions.actions import TEXT_LIMIT
from curation.telling.questions.models import AskedQuestion
from curation.telling.questions.subjects import GUIDELINE, LINTER, LineOfTask


def _text(label: Any, missing: Any, help_text: Any = "", rows: int = 6) -> forms.CharField:
    """Return the field for something to say; the action checks it too."""
    return forms.CharField(
        label=label,
        error_messages={"required": missing},
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows, "maxlength": TEXT_LIMIT}),
    )


class TaskQuestionForm(forms.Form):
    """A question about a task, or about a line of its rubric."""

    line = forms.ChoiceField(required=False, label=_("About"))
    text = _text(
        _("Your question"),
        _("Write your question."),
        _("The person who answers sees your role, not your name. Name nobody."),
    )

    def __init__(self, *args: Any, lines: Iterable[LineOfTask], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = [
            (
                line.key,
                _("Line %(n)s: %(text)s")
                % {"n": line.number, "text": Truncator(line.text).chars(90)},
            )
            for line in lines
        ]
        if rows:
            field = self.fields["line"]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("The task as a whole")), *rows]
        else:
            del self.fields["line"]


class RuleQuestionForm(forms.Form):
    """A question about a rule."""

    domain = DomainChoice()
    rule = forms.ChoiceField(label=_("Rule"), error_messages={"required": _("Choose a rule.")})
    text = _text(
        _("Your question"),
        _("Write your question."),
        _("The person who answers does not see your name. Quote no task."),
    )

    def __init__(
        self,
        *args: Any,
        domains: Iterable[int],
        guideline: Iterable[str],
        linter: dict[str, Any],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        domain, rule = self.fields["domain"], self.fields["rule"]
        assert isinstance(domain, DomainChoice)
        assert isinstance(rule, forms.ChoiceField)
        domain.offer(domains)
        groups = [
            (_("Guideline"), [(f"{GUIDELINE}:{name}", name) for name in guideline]),
            (_("Marks on rubric lines"), [(f"{LINTER}:{c}", n) for c, n in linter.items()]),
        ]
        rule.choices = [("", _("Not chosen yet")), *(group for group in groups if group[1])]


class FollowUpForm(forms.Form):
    """What is still open."""

    text = _text(_("What is still open"), _("Write what is still open."), rows=4)


class AnswerForm(forms.Form):
    """An answer, or the new words of one."""

    text = _text(
        _("Answer"),
        _("Write the answer."),
        _("The asker reads it as from “a senior” or “staff”. Name nobody."),
    )


class ShareForm(forms.Form):
    """Question and answer as everybody in the domain reads them."""

    asked = _text(
        _("The question in general words"),
        _("Write the question."),
        _("Without anything of the task: others may still have to work on it blindly."),
        rows=4,
    )
    answered = _text(_("The answer in general words"), _("Write the answer."), rows=5)


class QuestionFilter(forms.Form):
    """The filter of staff's list."""

    domain = domain_filter()
    state = forms.ChoiceField(
        required=False,
        label=_("State"),
        choices=[("", _("All")), *AskedQuestion.State.choices, ("shared", _("Shared"))],
    )
    about = forms.ChoiceField(
        required=False,
        label=_("About"),
        choices=[
            ("", _("Anything")),
            ("task", _("A task")),
            ("line", _("A line")),
            ("rule", _("A rule")),
        ],
    )
