"""What the engine tells the folders above it without importing them."""

from django.dispatch import Signal

# Sent inside the transaction in which responses end, after their findings and scores are stored.
judgments_ended = Signal()  # sender: Judgment; judgments (primary keys)
