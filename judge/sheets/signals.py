"""What sheets announce."""

from django.dispatch import Signal

# Inside the submission of an anchor's sheet; a receiver that raises undoes it.
anchor_sheet_submitted = Signal()  # sender: Sheet; instance, actor
