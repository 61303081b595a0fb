"""Keys in addresses: those of imported benchmarks may be in any script."""

from django.urls import register_converter
from django.urls.converters import StringConverter


class KeyConverter(StringConverter):
    """Letters and digits of any script, hyphens and underscores."""

    regex = r"[-\w]+"


register_converter(KeyConverter, "key")
