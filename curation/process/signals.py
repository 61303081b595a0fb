"""How curation lets the apps above know what happened, without knowing them."""

from django.dispatch import Signal

training_passed = Signal()  # sender: Application; instance, which waits for nothing but this
stage_entered = Signal()  # sender: the model class; instance, stage

# Sent inside the transaction that ends the standing; receivers hand the person's open work in the
# domain to colleagues and return how many pieces that was. Nothing is deleted, no seat given back.
qualification_ended = Signal()  # sender: Qualification; instance, actor (staff)
seniority_ended = Signal()  # sender: Qualification; instance, actor (staff)
