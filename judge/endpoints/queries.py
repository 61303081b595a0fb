"""What is known of endpoints and their models."""

from judge.endpoints.models import ServedModel
from judge.providers import is_offline


def takes_pictures(provider: str, model: str) -> bool | None:
    """Return whether a model may be sent pictures. One query, none for the offline rules.

    Args:
        provider: the name of an endpoint or of a vendor of the environment.
        model: as the provider calls it.

    Returns:
        None if nobody has entered the model, vendors of the environment included: send it no
        picture, and say that staff can enter it under Models.
    """
    if is_offline(provider):
        return False
    rows = ServedModel.objects.filter(provider=provider, model=model)
    return rows.values_list("pictures", flat=True).first()
