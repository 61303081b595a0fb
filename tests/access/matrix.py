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
    body: str | None = None  # name of the form sent with POST, where an empty one finds nothing


def row(thing: str | None = None, /, *, body: str | None = None, **verbs: set[str] | str) -> Row:
    """`row("draft", GET="author staff", POST="author")`."""
    return Row(
        thing,
        {v: set(who.split()) if isinstance(who, str) else who for v, who in verbs.items()},
        body,
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
    "rubric-draft": row(
        "refining", GET="author reviewer staff", POST="author", body="drafted_line"
    ),
    "rubric-versions": row("refining", GET="author reviewer staff"),
    "rubric-send": row("refining", POST="author"),
    "rubric-line-add": row("refining", POST="author"),
    "rubric-line": row("refining_line", POST="author"),
    "rubric-line-move": row("refining_line", POST="author"),
    "rubric-line-split": row("refining_line", POST="author"),
    "rubric-line-merge": row("refining_line", POST="author"),
    "rubric-line-remove": row("refining_line", POST="author"),
    "rubric-line-restore": row("refining_change", POST="author"),
    "rubric-comment": row("refining", POST="author", body="reply"),
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
    "spot-check": row("spot_check_taken", GET=SENIOR, POST=SENIOR),
    "staff-task-reopen": row("approved", GET=STAFF, POST=STAFF),
    "staff-task-discard": row("approved", GET=STAFF, POST=STAFF),
    "staff-review-assign": row("in_review", GET=STAFF, POST=STAFF),
    # scoring
    "scoring": row(GET=EXPERTS),
    "sheet-take": row("anchor", POST="author reviewer scorer senior"),  # 409 for all but one
    "sheet": row("sheet", GET="scorer"),
    "sheet-line": row("sheet_line", POST="scorer"),
    "sheet-submit": row("sheet", POST="scorer"),
    "sheet-hand-back": row("sheet", GET=NOBODY, POST=NOBODY),  # only an anchor's sheet is
    "meta-take": row("anchor", POST=SENIOR),
    "meta": row("meta", GET=SENIOR, POST=SENIOR),
    "api-sheets": row(GET=EXPERTS),
    "api-sheet": row("sheet", GET="scorer"),
    "api-sheet-submit": row("sheet", POST="scorer"),
    "api-sheet-line": row("sheet_line_key", PUT="scorer"),
    # runs, alignment, leaderboard, gold
    "staff-runs": row(GET=STAFF),
    "staff-run-new": row(GET=STAFF, POST=STAFF),
    "staff-run": row("run", GET=STAFF),
    "staff-run-progress": row("run", GET=STAFF),
    "staff-run-pause": row("run", POST=STAFF),
    "staff-run-resume": row("run", POST=STAFF),
    "staff-run-cancel": row("run", POST=STAFF),
    "staff-run-twin": row("run", POST=STAFF),
    "staff-call": row("call", GET=STAFF),
    "staff-candidates": row(GET=STAFF),
    "alignment": row(GET="senior staff"),
    "alignment-csv": row(GET="senior staff"),
    "alignment-json": row(GET="senior staff"),
    "alignment-thresholds": row(GET=STAFF, POST=STAFF),
    "leaderboard": row(GET=STAFF),
    "leaderboard-csv": row(GET=STAFF),
    "leaderboard-json": row(GET=STAFF),
    "gold": row(GET=STAFF),
    "gold-draw": row(GET=STAFF, POST=STAFF),
    "gold-release-new": row(GET=STAFF, POST=STAFF),
    "gold-release": row("release", GET=STAFF),
    "gold-download": row("release_file", GET=STAFF),
}
