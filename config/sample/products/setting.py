"""Domains, work maps, rules, people and the pool of profiles of the benchmark of products."""

from typing import Any

from config.sample.people import load_exams, make_person
from config.sample.products import FILES, People, read_file
from curation.joining.domains.models import Domain
from curation.tasks.work_map.table import WorkTypes
from judge.methods.profiles.actions import add_pool
from judge.methods.profiles.import_profiles import import_profiles
from judge.methods.profiles.models import ProfilePool
from judge.results.product_index.collecting_actions import set_operator
from rubrics.policy.actions import change_rules, rules_of
from rubrics.policy.policy import policy_for

POOL = "outdoor-creators"
FEWEST_LINES = 4  # of a rubric: conditions and questions are fewer than lines about a text


def load_setting(people: People) -> dict[str, Domain]:
    """Create all that tasks need; return the domains by their keys. New people join `people`."""
    last = Domain.objects.count()
    domains = {
        row["key"]: Domain.objects.create(
            key=row["key"], name=row["en"], name_zh=row["zh"], position=last + n
        )
        for n, row in enumerate(read_file("products.json")["domains"], start=1)
    }
    WorkTypes().run(FILES / "work_map.csv")
    load_exams("products/exams")
    staff = people["staff"]
    for domain in domains.values():
        rules = {**rules_of(policy_for(None)), "fewest": FEWEST_LINES, "reference": "open"}
        change_rules(actor=staff, domain=domain, **rules)
    for row in read_file("people.json"):
        people[row["email"].split("@")[0]] = make_person(row, staff.password)
    set_operator(
        actor=staff,
        person=people["operator"],
        operator=True,
        reason="Asks the products that have no interface; no expert of any domain.",
    )
    people["operator"].refresh_from_db()
    add_the_pool(staff)
    return domains


def add_the_pool(staff: Any) -> ProfilePool:
    """Import the creators among whom a task chooses."""
    pool = add_pool(
        actor=staff,
        key=POOL,
        name="Outdoor creators",
        description="Invented creators with prices and sponsors, as an agency would list them.",
    )
    data = (FILES / "creators.csv").read_bytes()
    import_profiles(actor=staff, pool=pool, data=data, file="creators.csv")
    return pool
