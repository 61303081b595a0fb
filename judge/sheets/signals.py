"""Signals of sheets."""

from django.dispatch import Signal

# Sent in the transaction of the submission; an exception in a receiver rolls it back.
anchor_sheet_submitted = Signal()  # sender: Sheet; instance, actor
