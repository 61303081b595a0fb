"""Sentences of Django that the workbench says in its own words; nothing runs here.

Django's Chinese addresses a person as 你, this product as 您; and an empty field is told alike on
every form, in English too (`locale/en`). The catalogues of the project win over those of Django,
but only with texts that `make messages` finds, so they stand here.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

FIELDS = (gettext_noop("This field is required."),)
PASSWORDS = (
    gettext_noop("Your old password was entered incorrectly. Please enter it again."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
)
