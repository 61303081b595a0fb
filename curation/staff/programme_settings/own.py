"""The settings that curation itself has: environment, rules of panels, domains, terms, e-mail."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.joining.accounts import terms
from curation.joining.domains.models import Domain
from curation.joining.domains.policies import LATEST
from curation.joining.people import User
from curation.qualifying.training import units
from curation.screening.panels.rules import RULES
from curation.staff.programme_settings.declared import (
    Setting,
    SettingChanged,
    SettingSource,
    differing,
    name_of,
    of_book,
    shown,
)
from curation.staff.programme_settings.models import MailTest, SettingChange

# (label, setting of Django, environment variable)
_PEOPLE = (
    (gettext_lazy("Days an invitation lasts"), "INVITATION_DAYS"),
    (gettext_lazy("Colleagues an expert may bring"), "REFERRALS_PER_EXPERT"),
    (gettext_lazy("Anybody may make an account"), "OPEN_SIGNUP"),
    (gettext_lazy("Staff and seniors need a second factor"), "REQUIRE_SECOND_FACTOR"),
)
_WORK = (
    (gettext_lazy("Prompts per expert (slots)"), "PROMPTS_PER_EXPERT"),
    (gettext_lazy("Drafts of one author"), "DRAFTS_PER_AUTHOR"),
    (gettext_lazy("Versions of a trial task"), "TRIAL_VERSIONS"),
    (gettext_lazy("Drafts of one rubric"), "DRAFTS_PER_TASK"),
)


def _of_environment(rows: Iterable[tuple[Any, str]]) -> list[Setting]:
    return [Setting(label, shown(getattr(settings, name)), variable=name) for label, name in rows]


def _people() -> list[Setting]:
    return [
        *_of_environment(_PEOPLE),
        Setting(_("Version of the terms"), terms.current_version(), url=reverse("terms")),
        Setting(_("Edition of the training"), units.current_edition()),
        Setting(
            _("Members of staff"),
            User.objects.filter(is_staff=True, is_active=True).count(),
            url=reverse("staff-members"),
        ),
    ]


def _work() -> list[Setting]:
    share = f"{settings.SPOT_CHECK_RATE:.0%}"
    return [
        *_of_environment(_WORK),
        Setting(_("Share of tasks a senior audits"), share, variable="SPOT_CHECK_RATE"),
    ]


def _domains() -> Iterable[Setting]:
    latest: dict[str, SettingChange] = {
        row.key: row for row in SettingChange.objects.select_related("actor").order_by("pk")
    }
    rows = Domain.objects.filter(external=False).prefetch_related("categories")
    for domain in rows:
        names = [str(category) for category in domain.categories.all()]
        last = latest.get(f"domain:{domain.key}")
        yield Setting(
            domain,
            shown(names),
            name_of(last.actor) if last else "",
            last.at if last else None,
            reverse("admin:curation_domain_change", args=[domain.pk]),
        )
    yield Setting(
        _("Categories"),
        _("names and keys of all, and a new one"),
        url=reverse("admin:curation_category_changelist"),
    )


def _domain_changes() -> Iterable[SettingChanged]:
    labels = {
        "name": _("Name"),
        "name_zh": _("Chinese name"),
        "key": _("Key"),
        "position": _("Place in lists"),
        "domain": _("Domain"),
    }
    for row in SettingChange.objects.select_related("actor").order_by("-at", "-pk")[:LATEST]:
        yield SettingChanged(
            row.at,
            name_of(row.actor),
            row.key,
            differing(row.before, row.after, labels),
            row.reason,
        )


def _mail() -> list[Setting]:
    return [
        Setting(
            _("Mail server"),
            settings.MAIL_SERVER or _("none: e-mails are printed"),
            variable="EMAIL_URL",
        ),
        Setting(_("Sender"), settings.DEFAULT_FROM_EMAIL, variable="DEFAULT_FROM_EMAIL"),
        Setting(_("Address in links"), shown(settings.PUBLIC_URL), variable="PUBLIC_URL"),
        Setting(_("Hour of the digests (UTC)"), settings.DIGEST_HOUR, variable="DIGEST_HOUR"),
    ]


def _mail_tests() -> Iterable[SettingChanged]:
    for row in MailTest.objects.select_related("actor")[:LATEST]:
        said = _("accepted") if row.accepted else row.answer
        yield SettingChanged(
            row.at, name_of(row.actor), _("Test e-mail"), [(_("Answer"), "–", said)]
        )


SOURCES = (
    SettingSource("people", "people", _people),
    SettingSource("environment", "work", _work, place=0),
    of_book("panels", RULES, place=1),
    SettingSource("domains", "domains", _domains, _domain_changes),
    SettingSource("mail", "mail", _mail, _mail_tests),
)
