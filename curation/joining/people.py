"""People, their qualifications, conflicts of interest, addresses, and administrators."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from curation.base.access.duties import Duty, column_of, columns_of
from curation.base.process.history import StaffAct, reasoned
from curation.base.text.comparisons import key_of
from curation.base.web.fields import LineField
from curation.base.web.refusals import Conflict, NotFound
from curation.joining.domains.models import Domain

# Of the address that replaces a person's when their name is removed; never delivered (RFC 2606).
REMOVED_HOST = "removed.invalid"


class UserManager(BaseUserManager["User"]):
    """Creates people. The e-mail address is the login."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        if not email:
            raise ValueError("A person needs an e-mail address.")
        if fields.get("is_staff"):  # whoever is made staff by code has every duty, unless it says
            fields = columns_of(Duty) | fields
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self.db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":

        fields.update(is_staff=True, is_superuser=True)
        user = self.create_user(email, password, **fields)
        confirm_address(user)  # access to the command line is proof enough
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class NoticeMode(models.TextChoices):
    """How a person's notices are mailed. The product always shows them."""

    AT_ONCE = "at_once", gettext_lazy("At once, one e-mail each")
    DAILY = "daily", gettext_lazy("Once a day, together")
    WEEKLY = "weekly", gettext_lazy("Once a week, together")
    NEVER = "never", gettext_lazy("Never: only in the product")


class User(AbstractBaseUser, PermissionsMixin):
    """A person. Others see the pseudonym; staff see the name."""

    email = models.EmailField(unique=True)
    display_name = LineField(max_length=120, blank=True)
    affiliation = LineField(max_length=200, blank=True)
    language = models.CharField(
        max_length=10, default="en", choices=[("en", "English"), ("zh-hans", "中文")]
    )
    single_keys = models.BooleanField(default=True)
    notice_mode = models.CharField(
        max_length=10, choices=NoticeMode.choices, default=NoticeMode.AT_ONCE
    )
    digest_sent_at = models.DateTimeField(null=True, blank=True)
    session_epoch = models.PositiveIntegerField(default=0)
    is_staff = models.BooleanField(default=False)
    # The duties of staff (curation/base/access/duties.py); without any, a member of staff only
    # reads.
    does_recruiting = models.BooleanField(default=False)
    does_editing = models.BooleanField(default=False)
    does_scoring = models.BooleanField(default=False)
    does_gold = models.BooleanField(default=False)
    does_administration = models.BooleanField(default=False)
    # Collects answers of products by hand (judge/results/collecting); set by staff.
    is_operator = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="email_is_unique_whatever_its_case"),
            models.CheckConstraint(
                condition=models.Q(is_staff=True) | models.Q(**columns_of(())),
                name="only_staff_have_duties",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def pseudonym(self) -> str:
        """The name that colleagues see instead of name and address."""
        if self.is_staff:
            return _("Staff %(number)s") % {"number": self.pk}
        return _("Expert %(number)s") % {"number": self.pk}

    @property
    def duties(self) -> tuple[Duty, ...]:
        """The duties of a member of staff, in their order; none for everybody else."""
        return tuple(duty for duty in Duty if self.has_duty(duty))

    def has_duty(self, duty: str) -> bool:
        """Return whether the person is staff with this duty."""
        return self.is_staff and bool(getattr(self, column_of(duty)))

    @property
    def name_was_removed(self) -> bool:
        return self.email.endswith(f"@{REMOVED_HOST}")

    @property
    def name_for_staff(self) -> str:
        """The name that staff read: as typed, else the address, else the pseudonym."""
        return self.display_name or (self.pseudonym if self.name_was_removed else self.email)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Hash the facts whose change ends all sessions: password, role and `session_epoch`.

        Django compares the hash with that of every request's session, so removing a role anywhere
        (in the admin, in a shell) ends the sessions opened with it.
        """
        facts = f"{self.password}|{self.is_staff}|{self.is_superuser}|{self.session_epoch}"
        salt = "curation.models.people.User.session"
        return salted_hmac(salt, facts, secret=secret, algorithm="sha256").hexdigest()

    def active_qualifications(self) -> list["Qualification"]:
        """Return the active qualifications with their domains, cached on the instance."""
        if not hasattr(self, "_active"):
            self._active = list(
                self.qualifications.filter(active=True)
                .select_related("domain")
                .order_by("domain__position", "domain__key")
            )
        return self._active

    def qualified_domain_ids(self) -> frozenset[int]:
        """Return the ids of the domains in which this person may work."""
        return frozenset(held.domain_id for held in self.active_qualifications())

    def senior_domain_ids(self) -> frozenset[int]:
        """Return the ids of the domains in which this person is a senior."""
        return frozenset(held.domain_id for held in self.active_qualifications() if held.senior)


class Qualification(models.Model):
    """An expert's qualification in a domain: inactive while suspended, never deleted."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="qualifications")
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="qualifications")
    senior = models.BooleanField(default=False)
    active = models.BooleanField(default=True)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "domain"], name="one_qualification_per_person_and_domain"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.domain}"


class SeniorityChange(StaffAct):
    """Staff made an expert a senior of a domain, or ended it: who, when, why."""

    qualification = models.ForeignKey(
        Qualification, on_delete=models.PROTECT, related_name="seniority_changes"
    )
    senior = models.BooleanField()

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_seniority_change_has_a_reason")]


class StandingChange(StaffAct):
    """Staff suspended an expert in a domain, or lifted the suspension: who, when, why."""

    qualification = models.ForeignKey(
        Qualification, on_delete=models.PROTECT, related_name="standing_changes"
    )
    active = models.BooleanField()

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_standing_change_has_a_reason")]


class DutyChange(StaffAct):
    """An administrator appointed somebody, changed their duties, or ended their being staff."""

    class Kind(models.TextChoices):
        APPOINTED = "appointed", gettext_lazy("Appointed as staff")
        CHANGED = "changed", gettext_lazy("Duties changed")
        ENDED = "ended", gettext_lazy("No longer staff")

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="duty_changes")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    before = models.JSONField(default=list)
    after = models.JSONField(default=list)

    class Meta(StaffAct.Meta):
        constraints = [reasoned("a_duty_change_has_a_reason")]


def refuse_last_administrator(person: User) -> None:
    """Refuse a step that leaves nobody who can appoint staff. Locks the accounts of staff.

    Two such steps at the same moment wait for each other: both lock the same rows, in order.

    Raises:
        Conflict: `last_administrator`, nobody else has the duty and an open account.
    """
    rows = User.objects.select_for_update().filter(is_staff=True, is_active=True).order_by("pk")
    administrators = {row.pk for row in rows if row.does_administration}
    if administrators == {person.pk}:
        raise Conflict(
            _(
                "Nobody else has the duty “Administration”, so nobody could appoint staff any "
                "more. Give it to somebody else first."
            ),
            code="last_administrator",
        )


# Affiliations are read here. Nouns above register the sources they keep: referrals (invitations and
# applications) and declared conflicts (`review`). So screening and review follow one rule.


# Why work ends that somebody held. Stored in English, and translated for the reader of the history.
TIE_FOUND = gettext_noop("A tie to the author has been found since.")
Pair = tuple[int, int]
Source = Callable[[Collection[int]], QuerySet[Any, Pair]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Add a source of conflicts; one that is registered already is not added again.

    Args:
        source: takes ids of people and returns a query of pairs of ids (`values_list`), one of
            each pair among the given ids. All sources are read in one query.
    """
    if source not in _sources:
        _sources.append(source)


def people_in_conflict_with(person: Any) -> set[int]:
    """Return the ids of everybody in conflict with a person. Conflicts are symmetric.

    Conflicts are: the same affiliation (ignoring case and spacing), a referral in either direction,
    and those of the registered sources.

    Args:
        person: None for the author of an imported task, who has no account: no conflicts.
    """
    return conflicts_of([person])[person.pk] if person is not None else set()


def conflicts_of(people: Collection[Any]) -> dict[int, set[int]]:
    """Return id of each person -> ids of everybody in conflict with them.

    Two queries, however many people there are.
    """
    found: dict[int, set[int]] = defaultdict(set)
    ids = {person.pk for person in people}
    if not ids:
        return found
    kept = [source(ids).order_by() for source in _sources]
    for one, other in [*_colleagues(ids), *kept[0].union(*kept[1:])]:
        found[one].add(other)
        found[other].add(one)
    return defaultdict(set, {pk: found[pk] - {pk} for pk in ids})


def cached_conflicts_of(user: Any) -> set[int]:
    """Return `people_in_conflict_with` the reader of a page, computed once per request.

    For lists only; actions that decide must compute it again.
    """
    if not hasattr(user, "conflicts_found"):
        user.conflicts_found = people_in_conflict_with(user)
    found: set[int] = user.conflicts_found
    return found


def in_conflict(one: Any, other: Any) -> bool:
    """Return whether two people must not judge each other's work."""
    return other.pk in people_in_conflict_with(one)


def same_affiliation(one: Any, other: Any) -> bool:
    """Return whether two people gave the same affiliation."""
    folded = _folded(one.affiliation)
    return bool(folded) and folded == _folded(other.affiliation)


def _colleagues(ids: Collection[int]) -> Iterable[Pair]:
    # Compared in Python: SQLite folds the case of ASCII letters only.
    rows = list(User.objects.exclude(affiliation="").values_list("pk", "affiliation"))
    folded = {typed: _folded(typed) for typed in {affiliation for _pk, affiliation in rows}}
    employer = {pk: folded[affiliation] for pk, affiliation in rows}
    employees: dict[str, list[int]] = defaultdict(list)
    for pk, affiliation in employer.items():
        if affiliation:
            employees[affiliation].append(pk)
    return [(pk, other) for pk in ids if pk in employer for other in employees[employer[pk]]]


def _folded(affiliation: str | None) -> str:
    """Return an affiliation normalised in case, spacing and character width."""
    return key_of(unicodedata.normalize("NFKC", affiliation or ""))


def confirm_address(user: Any) -> None:
    """Mark a person's address as confirmed; do nothing if it is a confirmed address already."""
    from allauth.account.models import EmailAddress

    if EmailAddress.objects.filter(email__iexact=user.email, verified=True).exists():
        return
    own = EmailAddress.objects.filter(user=user)
    if not own.filter(email__iexact=user.email).update(verified=True):
        EmailAddress.objects.create(
            user=user,
            email=user.email.lower(),
            verified=True,
            primary=not own.filter(primary=True).exists(),
        )


def access_person(pk: int) -> User:
    """Return a person, on routes for staff only.

    Raises:
        NotFound: no such person.
    """
    person = User.objects.filter(pk=pk).first()
    if person is None:
        raise NotFound()
    return person


def held_under(qualifications: Iterable[Qualification], *, person: str, domain: str) -> Q:
    """Return the condition that somebody holds a row in the domain of a qualification of theirs.

    Args:
        person, domain: lookups from the row, such as "reviewer" and "task__domain".
    """
    people: dict[int, set[int]] = defaultdict(set)
    for held in qualifications:
        people[held.domain_id].add(held.user_id)
    found = Q(pk__in=[])
    for domain_id, members in people.items():
        found |= Q(**{domain: domain_id, f"{person}__in": members})
    return found
