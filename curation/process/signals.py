"""Signals by which curation informs the apps above without importing them."""

from django.dispatch import Signal

training_passed = Signal()  # sender: Application; instance, in stage training
stage_entered = Signal()  # sender: the model class; instance, stage

# Sent inside the transaction that ends the qualification or seniority. Receivers hand over the
# person's open work in the domain and return how many pieces it was. They delete nothing and keep
# the person's seats.
qualification_ended = Signal()  # sender: Qualification; instance, actor (staff)
seniority_ended = Signal()  # sender: Qualification; instance, actor (staff)

# Sent inside the transaction that removes a person's name. Receivers remove it from their rows.
name_removed = Signal()  # sender: User; instance, addresses (in lower case)
# Sent inside the transaction in which an agreed amendment changes a task's text, after the change.
# Receivers end or restart the work that rested on the earlier text.
text_amended = (
    Signal()
)  # sender: Task; instance (locked), amendment, prompt_changed, rubric_affected
