"""The form of the rules of review."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from review.policy.models import RULES, ReviewPolicy


class ReviewPolicyForm(forms.ModelForm):
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
                "1 to 9. Each reads every line of the same version, in their own rounds."
            ),
            "quorum": _(
                "At most as many as reviewers. An open request from anybody keeps the line open."
            ),
            "rounds": _("1 to 9. After the last one a senior without a seat settles what is open."),
            "days": _(
                "1 to 60. A review whose round is not finished by then is free for a colleague."
            ),
            "draw": _(
                "Drawn from experts in the domain who have no conflict of interest with the "
                "author, the least busy first."
            ),
            "hide_names": _("What was written while names were hidden stays without names."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def _post_clean(self) -> None:
        """Skip the model's validation: the action validates the rules."""

    def rules(self) -> dict[str, Any]:
        """Return the arguments of `actions.change_policy`."""
        return {name: self.cleaned_data[name] for name in RULES}
