"""Sentences of Django that our catalogues translate differently. Nothing here runs.

Django's Chinese addresses a person as 你, this product as 您; and the sentence about an empty field
is ours in English too (`locale/en`). Our catalogues take precedence over Django's, but
`make messages` drops texts it finds nowhere in the code, so they are listed here.
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
