"""The settings and the app of a worker that some drafts end or freeze, by the title of the task."""

import ctypes
import os

from django.apps import AppConfig

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.runs.engine.poison.Poison"]


class Poison(AppConfig):
    name = "tests.runs.engine"
    label = "poison"

    def ready(self) -> None:
        from judge.jobs import jobs

        sound = jobs.draft_for

        def draft_for(task, who):
            if task.title == "ends":
                os._exit(3)
            if task.title == "freezes":
                ctypes.PyDLL(None).sleep(3600)  # in C, and keeps the interpreter to itself
            return sound(task, who)

        jobs.draft_for = draft_for
