"""What a person sets for themselves."""

from typing import Any

from curation.models import User


def save_preferences(*, actor: Any, language: str, single_keys: bool) -> None:
    """Keep the language of the workbench and whether single keys act."""
    User.objects.filter(pk=actor.pk).update(language=language, single_keys=single_keys)
