"""Staff's pages of the rules of rubrics."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.joining.domains.rule_pages import RulePages
from rubrics.policy.actions import BOOK
from rubrics.policy.policy import RubricPolicy


def _by_settings() -> str:
    if RubricPolicy.objects.filter(domain=None).exists():
        return ""
    return gettext(
        "The limits of all other domains come from the installation's settings until they are set "
        "here."
    )


RULES = RulePages(
    BOOK,
    title=_("Rules of the rubrics"),
    applies=_(
        "They apply when an author sends a rubric to review. Rubrics already sent are not affected."
    ),
    done=_("These rules apply from the next time a rubric is sent."),
    labels={
        "fewest": _("Lines at least"),
        "most": _("Lines at most"),
        "beyond": _("Fewer or more lines than that"),
        "reference": _("The author's TRUE or FALSE of the reference answer on each line"),
    },
    helps={
        "beyond": _("The author's reason is in the record of the task."),
        "reference": _("A line the reference answer does not meet is unclear, or the answer is."),
    },
    list_route="staff-rubric-rules",
    rule_route="staff-rubric-rule",
    columns={
        "fewest": (_("Lines at least"), None),
        "most": (_("Lines at most"), None),
        "beyond": (_("Fewer or more"), dict(RubricPolicy.Beyond.choices)),
        "reference": (
            _("The reference answer on each line"),
            dict(RubricPolicy.Reference.choices),
        ),
    },
    remark=_by_settings,
)
