"""Template tags of the rubric's pages."""

from django import template
from django.utils.safestring import SafeString

from curation.base.web.look import segbar

register = template.Library()


@register.simple_tag
def bar_of(value: int, total: int) -> SafeString:
    """Render a thin bar: `value` of `total`, both in points of weight."""
    return segbar([(value, "ink-2")], total=max(total, 1), size="thin")
