"""How the lower apps let `judge` know that a stage was entered, without knowing `judge`."""

from django.dispatch import Signal

stage_entered = Signal()  # sender: the model class; instance, stage
