"""Receivers of signals about the sheets of anchors."""

from typing import Any

from judge.scoring.anchors.actions import hand_to_senior
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.signals import anchor_sheet_submitted


def connect() -> None:
    """Connect the receivers. Idempotent."""
    anchor_sheet_submitted.connect(
        hand_on, sender=Sheet, dispatch_uid="judge.anchors.hand_to_senior"
    )


def hand_on(sender: Any, instance: Sheet, actor: Any, **_: Any) -> None:
    hand_to_senior(actor=actor, sheet=instance)
