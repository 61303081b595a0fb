"""Domains and categories by the names that files give them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, quoted
from curation.joining.domains.models import Category, Domain
from curation.tasks.task.fields import FIELDS, Kind
from curation.tasks.work_map.models import WorkType
from judge.gold.transfer.task_line import amount_of

RECORDED = ("owner", "permission", "collected_on")  # of `Collection`, not of the task
LONGEST_KEY = 60  # of the columns of domains and categories


@dataclass
class Catalogue:
    """All domains and categories, with those that an imported benchmark adds.

    `made` names those that were created, under "domains" and "categories".
    """

    domains: dict[str, Domain] = field(default_factory=dict)
    categories: dict[tuple[str, str], Category] = field(default_factory=dict)
    work_types: dict[tuple[str, str], WorkType] = field(default_factory=dict)
    made: dict[str, list[str]] = field(default_factory=lambda: {"domains": [], "categories": []})

    @classmethod
    def load(cls) -> "Catalogue":
        domains = {d.key: d for d in Domain.objects.all()}
        categories = {(c.domain.key, c.key): c for c in Category.objects.select_related("domain")}
        rows = WorkType.objects.select_related("domain", "category")
        return cls(domains, categories, {(w.domain.key, w.key): w for w in rows})

    @staticmethod
    def key_of(name: str) -> str:
        """Return the key of a name: letters, digits, hyphens and underscores, in lower case."""
        return slugify(name, allow_unicode=True)

    def check(
        self,
        record: Record,
        faults: Faults,
        *,
        external: bool,
        author: Any,
        collected: bool = False,
    ) -> None:
        """Add the faults of a line's domain, category and work type."""
        for name in ("domain", "category"):
            key = self.key_of(record.get(name, ""))
            if record.get(name) and not key:
                faults.add(record.line, name, _("A name needs a letter or a digit."))
            elif len(key) > LONGEST_KEY:  # a key can be longer than its name: ligatures expand
                faults.add(
                    record.line,
                    name,
                    _("Spelt out, this name has %(n)s characters; the limit is %(most)s.")
                    % {"n": len(key), "most": LONGEST_KEY},
                )
        self._check_work_type(record, faults, every=external or collected)
        if external or not record.get("domain"):
            return
        domain = self.domains.get(self.key_of(record.get("domain")))
        if domain is None or domain.external:
            own = sorted(d.key for d in self.domains.values() if not d.external)
            faults.add(
                record.line,
                "domain",
                _("There is no domain %(name)s here. Available: %(known)s.")
                % {"name": quoted(record.get("domain")), "known": ", ".join(own)},
            )
            return
        if not collected and domain.pk not in author.qualified_domain_ids():
            faults.add(
                record.line,
                "domain",
                _("The author is not qualified in %(name)s.") % {"name": quoted(domain.key)},
            )
        category = record.get("category")
        if category and (domain.key, self.key_of(category)) not in self.categories:
            faults.add(
                record.line,
                "category",
                _("There is no category %(name)s in this domain.") % {"name": quoted(category)},
            )

    def _check_work_type(self, record: Record, faults: Faults, *, every: bool) -> None:
        key, domain = record.get("work_type"), self.key_of(record.get("domain", ""))
        if not key:
            return
        found = self.work_types.get((domain, key))
        if found is None:
            faults.add(
                record.line,
                "work_type",
                _("There is no work type %(name)s in this domain.") % {"name": quoted(key)},
            )
        elif not every and not found.benchmarked:
            faults.add(
                record.line,
                "work_type",
                _("Tasks are written for work that is both feasible and evaluable."),
            )

    def facts(self, domain: str, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facts of a line as columns of a task: rows, days and amounts."""
        found = {name: value for name, value in facts.items() if name not in RECORDED}
        for one in FIELDS:
            if one.kind is Kind.WORK_TYPE and one.name in found:
                found[one.name] = self.work_types[self.key_of(domain), found[one.name]]
            elif one.kind is Kind.DAY and one.name in found:
                found[one.name] = date.fromisoformat(found[one.name])
        if rate := found.get("hourly_rate"):
            found["hourly_rate"] = amount_of(rate)
        return found

    def domain(self, name: str) -> Domain:
        """Return the domain of this name; create it as an imported one if it is new."""
        key = self.key_of(name)
        if key not in self.domains:
            self.domains[key] = Domain.objects.create(
                key=key, name=_title(name), external=True, position=1000
            )
            self.made["domains"].append(self.domains[key].name)
        return self.domains[key]

    def category(self, domain: str, name: str) -> Category | None:
        """Return the category of this name in the domain; create it if it is new."""
        if not name:
            return None
        its_domain = self.domain(domain)
        key = (its_domain.key, self.key_of(name))
        if key not in self.categories:
            self.categories[key] = Category.objects.create(
                domain=its_domain, key=key[1], name=_title(name)
            )
            self.made["categories"].append(f"{its_domain.name}: {self.categories[key].name}")
        return self.categories[key]


def _title(name: str) -> str:
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]
