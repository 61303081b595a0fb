"""Who reads a guideline, and loading one."""

from typing import Any

from curation.base.access.permissions import allows, signed_in
from curation.base.web.refusals import NotFound
from curation.joining.domains.models import Domain
from curation.telling.guidelines.models import PROGRAMME, Guideline


def is_for_everybody(user: Any, guideline: Any) -> bool:
    """Return whether it is the programme's own, which everybody reads who is signed in."""
    return signed_in(user, None) and guideline.domain_id is None


def access_guideline(user: Any, key: str) -> Guideline:
    """Load a published guideline for one of its readers.

    Raises:
        NotFound: no such guideline, nothing is published yet, or it is not for this person.
    """
    found = guideline_named(key)
    if found.current == 0 or not allows(user, "guideline.view", found):
        raise NotFound()
    return found


def guideline_named(key: str) -> Guideline:
    """Return the guideline of a key; an unsaved one where staff have written none yet.

    Raises:
        NotFound: no such domain.
    """
    rows = Guideline.objects.select_related("domain", "draft_by")
    if key == PROGRAMME:
        return rows.filter(domain=None).first() or Guideline()
    domain = Domain.objects.filter(key=key, external=False).first()
    if domain is None:
        raise NotFound()
    return rows.filter(domain=domain).first() or Guideline(domain=domain)
