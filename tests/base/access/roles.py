"""Who takes part in the table of permissions: people, staff by their duties, and its rows."""

from dataclasses import dataclass, field

ROLES = ("anonymous", "applicant", "author", "author2", "reviewer", "scorer", "senior", "staff")
# Staff with one duty each, and without any. `staff` has every duty.
DUTY_OF = {
    "staff_recruiting": "recruiting",
    "staff_editing": "editing",
    "staff_scoring": "scoring",
    "staff_gold": "gold",
    "staff_administration": "administration",
    "observer": "",
}
MEMBERS = tuple(DUTY_OF)


def _with(duty: str) -> set[str]:
    """Return who may do what a duty lets staff do."""
    return {"staff", f"staff_{duty}"}


ROLES_AND_MEMBERS = (*ROLES, *MEMBERS)
ALL = set(ROLES_AND_MEMBERS)
SIGNED = ALL - {"anonymous"}
EXPERTS = {"author", "author2", "reviewer", "scorer", "senior"}
SENIOR = {"senior"}
STAFF = {"staff", *MEMBERS}  # who may read
RECRUITING, EDITING, SCORING = _with("recruiting"), _with("editing"), _with("scoring")
GOLD, ADMINISTRATION = _with("gold"), _with("administration")
NOBODY: set[str] = set()


@dataclass(frozen=True)
class Row:
    """One address: the object it is tried on, and who gets through by verb."""

    thing: str | None = None
    verbs: dict[str, set[str]] = field(default_factory=dict)
    body: str | None = None  # name of the form sent with POST, where an empty one finds nothing


def row(thing: str | None = None, /, *, body: str | None = None, **verbs: set[str] | str) -> Row:
    """`row("draft", GET="author staff", POST="author")`: here `staff` reads whatever the duty."""

    def people(who: set[str] | str) -> set[str]:
        names = set(who.split()) if isinstance(who, str) else who
        return names | STAFF if isinstance(who, str) and "staff" in names else names

    return Row(thing, {verb: people(who) for verb, who in verbs.items()}, body)
