"""Signals by which curation informs the apps above without importing them."""

from django.dispatch import Signal

training_passed = Signal()  # sender: Application; instance, in stage training
stage_entered = Signal()  # sender: the model class; instance, stage

# Sent inside the transaction that ends the qualifications or a seniority. Receivers hand over these
# people's open work in the domains and return how many pieces it was. They delete nothing and keep
# the people's seats. A step on many people sends all at once, so none of them gets others' work.
qualifications_ended = Signal()  # sender: Qualification; ended (a sequence), actor (staff)
seniority_ended = Signal()  # sender: Qualification; instance, actor (staff)

# Sent inside the transaction from which on a conflict of interest counts. Receivers hand over the
# open work that the person holds on the author's tasks, and return the tasks. Finished work stays.
conflict_began = Signal()  # sender: User; person, author

# Sent inside the transaction in which a member leaves a panel before they have finished, before a
# colleague is drawn. The task is locked.
place_left = Signal()  # sender: PanelPlace; task, place

file_added = Signal()  # sender: Attachment; instance, whose content nobody may have read yet

# Sent inside the transaction that removes a person's name, before it is gone from the person's row.
# Receivers remove it from theirs.
name_removed = Signal()  # sender: User; instance, addresses (in lower case), actor (staff)

# Sent inside the transaction in which an agreed amendment changes a task's text, after the change.
# Receivers end or restart the work that rested on the earlier text.
# sender: Task; instance (locked), amendment, prompt_changed, rubric_affected,
# answer_changed
text_amended = Signal()
