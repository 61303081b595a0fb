"""The notices about work in hand."""

from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Topic

KINDS = (
    Kind(
        "reminded",
        Topic.TASKS,
        _("The staff remind you of “%(task)s”"),
        _("It is waiting for you. If you cannot go on with it, tell the staff."),
        _("Go on with it"),
    ),
    Kind(
        "reminded_with_date",
        Topic.TASKS,
        _("The staff remind you of “%(task)s”, due on %(due)s"),
        _("It is waiting for you. You can also hand it back, with a reason."),
        _("Go on with it"),
    ),
    Kind(
        "reminded_late",
        Topic.TASKS,
        _("The staff remind you of “%(task)s”, which was due on %(due)s"),
        _("Your date has passed. If you cannot finish it soon, tell the staff."),
        _("Go on with it"),
    ),
    Kind(
        "deadline_extended",
        Topic.TASKS,
        _("You have more time for “%(task)s”: until %(due)s"),
        _("The staff moved the deadline. Nothing else has changed."),
        _("Go on with it"),
    ),
)
