"""Who may do what at every address: written by hand, compared with what the product does.

Each row names the object of the sample programme the address is tried on, and for each verb the
people who get through. Everybody else must be refused, and every verb without a column must
answer 405. A new address without a row here fails the build.
"""

from dataclasses import dataclass, field

ROLES = ("anonymous", "applicant", "author", "author2", "reviewer", "scorer", "senior", "staff")
ALL = set(ROLES)
SIGNED = ALL - {"anonymous"}
EXPERTS = {"author", "author2", "reviewer", "scorer", "senior"}
SENIOR = {"senior"}
STAFF = {"staff"}
NOBODY: set[str] = set()


@dataclass(frozen=True)
class Row:
    """One address: the object it is tried on, and who gets through by verb."""

    thing: str | None = None
    verbs: dict[str, set[str]] = field(default_factory=dict)


def row(thing: str | None = None, /, **verbs: set[str] | str) -> Row:
    """`row("draft", GET="author staff", POST="author")`."""
    return Row(
        thing,
        {v: set(who.split()) if isinstance(who, str) else who for v, who in verbs.items()},
    )


MATRIX = {
    # the root
    "home": row(GET=SIGNED),
    "healthz": row(GET=ALL),
    "readyz": row(GET=ALL),
    "gallery": row(GET=STAFF),
    "api-schema": row(GET=SIGNED),
    "api-docs": row(GET=SIGNED),
    "set_language": row(POST=ALL),
    # django-allauth
    "account_login": row(GET=ALL, POST=ALL),
    "account_logout": row(GET=SIGNED, POST=SIGNED),
    "account_inactive": row(GET=ALL),
    "account_signup": row(GET=ALL, POST=ALL),
    "account_reauthenticate": row(GET=SIGNED, POST=SIGNED),
    "account_email": row(GET=SIGNED, POST=SIGNED),
    "account_email_verification_sent": row(GET=ALL),
    "account_change_password": row(GET=SIGNED, POST=SIGNED),
    "account_set_password": row(GET=SIGNED, POST=SIGNED),
    "account_reset_password": row(GET=ALL, POST=ALL),
    "account_reset_password_done": row(GET=ALL),
    "account_confirm_email": row("mail_key", GET=ALL, POST=ALL),
    "account_reset_password_from_key": row("reset_key", GET=ALL, POST=ALL),
    "account_reset_password_from_key_done": row(GET=ALL),
    "account_confirm_login_code": row(),  # sign-in by code is not offered
    # qualification
    "apply": row(GET=SIGNED, POST=SIGNED),
    "application": row("application", GET="applicant"),
    "exam-start": row("application", GET="applicant", POST="applicant"),
    "training": row("application", GET="applicant", POST="applicant"),
    "exam": row("sitting", GET="applicant"),
    "exam-save": row("sitting", POST="applicant"),
    "exam-hand-in": row("sitting", POST="applicant"),
    "trial": row("trial", GET=NOBODY),  # the trainee's own
    "trial-save": row("trial", POST=NOBODY),
    "trial-hand-in": row("trial", POST=NOBODY),
    "trials": row(GET=SENIOR),
    "trial-decide": row("trial", GET=SENIOR, POST=SENIOR),
    "staff-applications": row(GET=STAFF),
    "staff-application": row("application", GET=STAFF, POST=STAFF),
    "staff-people": row(GET=STAFF),
    "staff-invite": row(GET=STAFF, POST=STAFF),
    "staff-person": row("person", GET=STAFF),
    "staff-grant-slot": row("person", POST=STAFF),
    "staff-senior": row("person", POST=STAFF),
    # tasks
    "tasks": row(GET=SIGNED),
    "task-new": row(GET=EXPERTS, POST=EXPERTS),
    "task": row("in_review", GET="author reviewer staff"),
    "task-edit": row("draft", GET="author", POST="author"),
    "task-save": row("draft", POST="author"),
    "task-preview": row("draft", POST="author"),
    "task-submit": row("draft", POST="author"),
    "task-withdraw": row("draft", GET="author", POST="author"),
    "screening": row(GET=EXPERTS),
    "screening-join": row("screening", POST="reviewer scorer senior"),
    "screening-vote": row("screened", GET="author", POST="author"),
    "staff-pipeline": row(GET=STAFF),
    "staff-tasks": row(GET=STAFF),
    "staff-task": row("in_review", GET=STAFF),
    "staff-audit": row(GET=STAFF),
    "preferences": row(GET=SIGNED, POST=SIGNED),
    "api-tasks": row(GET=SIGNED, POST=EXPERTS),
    "api-task": row("in_review", GET="author reviewer staff"),
    "api-task-submit": row("draft", POST="author"),
    # rubrics
    "rubric": row("refining", GET="author reviewer staff"),
    "rubric-draft": row("refining", GET="author staff", POST="author"),
    "rubric-versions": row("refining", GET="author reviewer staff"),
    "rubric-send": row("refining", POST="author"),
    "rubric-line-add": row("refining", POST="author"),
    "rubric-line": row("refining_line", POST="author"),
    "rubric-line-move": row("refining_line", POST="author"),
    "rubric-line-split": row("refining_line", POST="author"),
    "rubric-line-merge": row("refining_line", POST="author"),
    "rubric-line-remove": row("refining_line", POST="author"),
    "rubric-line-restore": row("refining_change", POST="author"),
    "rubric-comment": row("refining", POST="author"),
    # reviews
    "reviews": row(GET=EXPERTS),
    "review-take": row("in_review", POST="reviewer scorer senior"),
    "review": row("review", GET="reviewer"),
    "review-line": row("review_line", POST="reviewer"),
    "review-line-undo": row("review_line", POST="reviewer"),
    "review-comment": row("review_line", POST="reviewer"),
    "review-finish": row("review", POST="reviewer"),
    "review-decline": row("review", GET="reviewer", POST="reviewer"),
    "spot-checks": row(GET="senior staff"),
    "spot-check-take": row("spot_check", POST=SENIOR),
    "spot-check": row("spot_check", GET=SENIOR, POST=SENIOR),
    "staff-task-reopen": row("approved", GET=STAFF, POST=STAFF),
    "staff-task-discard": row("approved", GET=STAFF, POST=STAFF),
    "staff-review-assign": row("in_review", GET=STAFF, POST=STAFF),
}
