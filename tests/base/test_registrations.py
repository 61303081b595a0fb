"""What nouns register stands beside their models, and is found without a list of names.

That every model says how it rests on a task's text is tested in
`tests/corrections/test_registry.py`; that every row about a person is copied or left out, in
`tests/joining/accounts/test_data_copies.py`.
"""

import sys
from pathlib import Path

import pytest
from django.apps import apps

from curation.staff.honoraria.models import BY_HAND, Work
from curation.staff.honoraria.sources import all_sources

OURS = ("curation", "rubrics", "review", "judge")
AT_THE_TOP = {"__init__", "admin", "apps", "models", "permissions", "urls", "web"}


def test_every_registration_of_a_noun_is_imported_at_the_start():
    missing = []
    for app in OURS:
        root = Path(apps.get_app_config(app).path)
        files = list(root.rglob("registrations.py"))
        assert len(files) > 4
        for file in files:
            name = ".".join((app, *file.relative_to(root).with_suffix("").parts))
            if name not in sys.modules:
                missing.append(name)
    assert missing == []


@pytest.mark.parametrize("app", OURS)
def test_the_top_of_an_app_holds_no_hub(app):
    root = Path(apps.get_app_config(app).path)
    assert {file.stem for file in root.glob("*.py")} - AT_THE_TOP == set()


def test_every_kind_of_work_has_a_record_that_pays_it_or_is_entered_by_hand():
    assert {source.kind for source in all_sources()} == set(Work) - set(BY_HAND)
