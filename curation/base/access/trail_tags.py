"""Template tags that draw the trail of a page: the work bar with its path, the title."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from curation.base.access import trail
from curation.base.web.components import attribute

register = template.Library()


@register.simple_tag(takes_context=True)
def page_title(context: template.Context) -> str:
    """Return the title that the route of the page declares."""
    return trail.title(context)[0]


@register.simple_tag
def go_key(route: str) -> str:
    """Return the letter that, pressed after G, goes to a page."""
    return trail.of(route).go


@register.simple_tag(takes_context=True)
def places(context: template.Context, route: str = "") -> SafeString:
    """Return the links to the pages beside a page; by default the one that is shown."""
    request = context["request"]
    tabs = trail.tabs(request.user, route or request.resolver_match.view_name)
    links = format_html_join("\n", '<a href="{}">{}</a>', ((tab.url, tab.text) for tab in tabs))
    return format_html('<div class="row places">{}</div>', links)


@register.simple_block_tag(takes_context=True)
def workbar(
    context: template.Context,
    content: str,
    title: object = None,
    lang: str = "",
    id: str = "",
    up: str = "",
    query: str = "",
    **names: object,
) -> SafeString:
    """Return the bar on top of a page: path, heading, then the content of the block.

    The heading is ``title``, by default the route's; with "" it stands first in the block. ``up``
    and ``query`` as in `trail.path`; ``names`` are what labels need and the context does not hold.
    """
    with context.push(**names):
        if title is None:
            title, lang = trail.title(context)
        steps = trail.path(context, up, query)
    if not (title or content.strip()):
        return SafeString()
    return format_html(
        '<div class="workbar"{}>{}{}{}</div>',
        attribute("id", id),
        _path(steps),
        format_html('<h1 class="title"{}>{}</h1>', attribute("lang", lang), title) if title else "",
        content,
    )


def _path(steps: list[trail.Step]) -> SafeString | str:
    if not steps:
        return ""
    links = format_html_join(
        "",
        "<{0}{1}{2}>{3}</{0}>",
        (
            (
                "a" if step.url else "span",
                attribute("href", step.url),
                attribute("lang", step.language),
                step.text,
            )
            for step in steps
        ),
    )
    return format_html('<nav class="path" aria-label="{}">{}</nav>', gettext("Path"), links)
