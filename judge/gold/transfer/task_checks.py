"""What a line of a file of tasks needs beyond its form: domain, owner, parts, rubric."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record, quoted
from curation.joining.domains.models import Category, Domain
from curation.tasks.business.actions import record_problems
from curation.tasks.task.fields import FIELDS, TEXT_PARTS, Kind, missing_parts
from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.work_map.models import WorkType
from judge.gold.transfer import exact_line, rubrics
from judge.gold.transfer.demand_line import form_of
from judge.gold.transfer.task_line import COLLECTED, amount_of
from rubrics.policy.policy import RubricPolicy, for_form

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


# --- tasks from business -------------------------------------------------------------------------
# The columns of the record by the fields of a line.
_FIELDS = {
    "owner": "owner",
    "permitted_by": "permission",
    "permitted_on": "permission",
    "permission_scope": "permission",
    "permission_text": "permission",
    "permission_document": "permission",
    "collected_on": "collected_on",
    "hourly_rate": "hourly_rate",
}


def check_collected(record: Record, faults: Faults, *, collected: bool) -> None:
    """Add the faults of a line's owner and permission; other tasks must not have them."""
    if not collected:
        for name in COLLECTED:
            if record.get(name) is not None:
                faults.add(
                    record.line, name, _("Only a task from business has this: use --collected.")
                )
        return
    refused = {fault.field.split(".")[0] for fault in faults.found if fault.line == record.line}
    values = record_of(record.values)
    rate = record.get("hourly_rate")
    problems = record_problems({**values, "hourly_rate": amount_of(rate) if rate else None})
    for column, sentences in problems.items():
        if _FIELDS[column] not in refused:
            faults.add(record.line, _FIELDS[column], sentences[0])


def record_of(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a collected task from its line; what the line lacks is empty."""
    permission = line.get("permission") or {}
    return {
        "owner": line.get("owner", ""),
        "permitted_by": permission.get("by", ""),
        "permitted_on": _day(permission.get("on")),
        "permission_scope": permission.get("scope", ""),
        "permission_text": permission.get("text", ""),
        "permission_document": permission.get("document", ""),
        "collected_on": _day(line.get("collected_on")),
    }


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:  # the line has a fault that says so
        return None


def stored_fact(task: Task, name: str) -> Any:
    """Return a fact of a stored task as a line has it, to compare the two."""
    held = task.collection
    if name in ("owner", "collected_on"):
        value: Any = getattr(held, name, None)
    elif name == "permission":
        value = held and {
            "by": held.permitted_by,
            "on": held.permitted_on.isoformat(),
            "scope": held.permission_scope,
            "text": held.permission_text,
            "document": held.permission_document,
        }
    else:
        value = getattr(task, name)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return getattr(value, "key", value)


def fact_of(name: str, value: Any) -> Any:
    """Return a fact of a line in the form of `stored_fact`."""
    if name == "permission":
        return {key: value.get(key, "") for key in ("by", "on", "scope", "text", "document")}
    if name == "hourly_rate":
        amount = amount_of(value)
        return amount and f"{amount.normalize():f}"
    return value


# --- own tasks -----------------------------------------------------------------------------------
def check_parts(record: Record, faults: Faults) -> None:
    """Add a fault for each part that a submission needs and the task does not have."""
    form = form_of(record)
    parts = {name: record.get(name, "") for name in TEXT_PARTS}
    refused = {f.field for f in faults.found if f.line == record.line}
    for name, sentences in missing_parts(Task(title="-", answer_form=form, **parts)).items():
        if name not in refused:
            faults.add(record.line, name, sentences[0])


def check_line_count(record: Record, faults: Faults, rules: Mapping[str, RubricPolicy]) -> None:
    """Add a fault if a valid rubric has too few or too many lines for its domain."""
    rubric = record.get("rubric")
    if not rubric:
        return
    form = form_of(record)
    if form == AnswerForm.EXACT:
        if not exact_line.is_made_from_the_answer(rubric):
            faults.add(
                record.line,
                "rubric",
                _("The rubric of an exact answer is one line made from it. Leave the rubric out."),
            )
        return
    policy = rules.get(record.get("domain", "")) or rules[""]
    problem = rubrics.line_count_problem(len(rubric), for_form(policy, form))
    if problem:
        faults.add(record.line, "rubric", problem)
