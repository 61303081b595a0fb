"""Keep a view of a list under a name, and forget it."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.lists.models import NAME_LIMIT, SavedView
from curation.base.text import storable
from curation.base.web.refusals import BadInput

MOST_VIEWS = 12  # of one list and person: they stand side by side


@action("staff")
@transaction.atomic
def save_view(*, actor: Any, name: str, query: str, list_name: str) -> SavedView:
    """Keep filters and order of a list. A view of the same name is replaced.

    Args:
        query: of an address that the list accepts.

    Raises:
        BadInput: no name, a name that is too long, too many views or a very long address.
    """
    words = " ".join(storable.one_line(storable.clean(name)).split())
    problem = storable.problem_with(words, limit=NAME_LIMIT)
    if problem or storable.is_blank(words):
        raise BadInput(fields={"name": [problem or _("Give the view a name.")]})
    if len(query) > 2000:
        raise BadInput(_("These filters are too long to be kept as a view."))
    mine = SavedView.objects.filter(user=actor, list=list_name)
    if mine.count() >= MOST_VIEWS and not mine.filter(name=words).exists():
        raise BadInput(
            _("You have %(n)s views of this list. Remove one first.") % {"n": MOST_VIEWS}
        )
    view, _created = SavedView.objects.update_or_create(
        user=actor, list=list_name, name=words, defaults={"query": query}
    )
    return view


@action("view.remove", about="view")
@transaction.atomic
def remove_view(*, actor: Any, view: SavedView) -> None:
    """Forget a saved view."""
    SavedView.objects.filter(pk=view.pk).delete()
