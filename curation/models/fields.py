"""Columns that keep a rule of ours, whoever writes to them."""

from typing import Any

from django.db import models

from curation.text import one_line


class LineField(models.CharField):
    """A title, a name or a label: one line of what can be seen (`curation.text.one_line`).

    Forms, the API, imports and commands all write through here. To the database it is text like
    any other, so that no migration names it.
    """

    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return one_line(value) if isinstance(value, str) else value

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if isinstance(value, str):
            value = one_line(value)
            setattr(model_instance, self.attname, value)
        return value

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
