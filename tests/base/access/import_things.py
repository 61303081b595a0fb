"""Imports in the sample programme: a table without columns, a checked one, a kept mapping."""

from typing import Any

from django.core.files.base import ContentFile

from curation.joining.people import User
from judge.gold.transfer.import_actions import ask_for_check, read_files, set_mapping, upload
from judge.gold.transfer.import_mapping import guess
from judge.gold.transfer.import_models import DataImport, KeptMapping
from judge.gold.transfer.import_work import work_on

NAME = "planted-upload.csv"
TEXT = "planted text of an upload"


def import_things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of imports, by the name the matrix uses."""
    table, checked = (_upload(people["staff"], key) for key in ("planted-1", "planted-2"))
    set_mapping(
        actor=people["staff"], row=checked, mapping=guess(checked), revision=1, keep_as="Planted"
    )
    ask_for_check(actor=people["staff"], row=checked, revision=checked.revision)
    work_on(checked)
    return {
        "import_table": (table.pk,),
        "import_checked": (checked.pk,),
        "kept_mapping": (KeptMapping.objects.get(name="Planted").pk,),
    }


def _upload(staff: User, key: str) -> DataImport:
    body = f"id,domain,requirements\n{key},puzzles,{TEXT}\n"
    files = read_files(file=ContentFile(body.encode(), name=NAME))
    return upload(actor=staff, kind=DataImport.Kind.EXTERNAL, files=files)
