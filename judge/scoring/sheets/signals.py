"""Signals of sheets."""

from django.dispatch import Signal

# Sent in the transaction of the submission; an exception in a receiver rolls it back.
anchor_sheet_submitted = Signal()  # sender: Sheet; instance, actor
practice_sheet_submitted = Signal()  # sender: Sheet; instance, actor

# Sent in the transaction of an assignment, after the sheet of an expert was opened.
alignment_sheet_assigned = Signal()  # sender: Sheet; instance, due_at, batch

# Sent before a practice or known sheet is deleted. No history has a practice sheet's lines.
uncounted_sheet_handed_back = Signal()  # sender: Sheet; instance, reason
