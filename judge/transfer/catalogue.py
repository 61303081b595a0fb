"""Domains and categories by the names that files give them."""

from dataclasses import dataclass, field
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.domains.models import Category, Domain
from judge.transfer.reading import Faults, Record, quoted

LONGEST_KEY = 60  # of the columns of domains and categories


@dataclass
class Catalogue:
    """All domains and categories, with those that an imported benchmark adds."""

    domains: dict[str, Domain] = field(default_factory=dict)
    categories: dict[tuple[str, str], Category] = field(default_factory=dict)

    @classmethod
    def load(cls) -> "Catalogue":
        domains = {d.key: d for d in Domain.objects.all()}
        categories = {(c.domain.key, c.key): c for c in Category.objects.select_related("domain")}
        return cls(domains, categories)

    @staticmethod
    def key_of(name: str) -> str:
        """Return the key of a name: letters, digits, hyphens and underscores, in lower case."""
        return slugify(name, allow_unicode=True)

    def check(self, record: Record, faults: Faults, *, external: bool, author: Any) -> None:
        """Add the faults of a line's domain and category."""
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
        if domain.pk not in author.qualified_domain_ids():
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

    def domain(self, name: str) -> Domain:
        """Return the domain of this name; create it as an imported one if it is new."""
        key = self.key_of(name)
        if key not in self.domains:
            self.domains[key] = Domain.objects.create(
                key=key, name=_title(name), external=True, position=1000
            )
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
        return self.categories[key]


def _title(name: str) -> str:
    words = " ".join(name.replace("_", " ").split())
    return words[:1].upper() + words[1:]
