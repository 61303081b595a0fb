"""Template tags of components: the work bar with its path, the note, the choices of a verdict.

``docs/look.md`` shows each in use.
"""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from curation.base.web.look import icon as icon_of
from curation.base.web.look import keycap

register = template.Library()

ICON_OF_KIND = {"wait": "warning", "no": "warning", "machine": "diamond", "yes": "check"}


def _attribute(name: str, value: object) -> SafeString:
    """Return an attribute with a space before it, or nothing for an empty value."""
    return format_html(' {}="{}"', name, value) if value else mark_safe("")


@register.simple_block_tag(takes_context=True)
def workbar(
    context: template.Context, content: str, title: object = "", lang: str = "", id: str = ""
) -> SafeString:
    """Return the bar on top of a page: path, heading, then the content of the block.

    The heading of a page without ``title`` stands first in the block.
    """
    heading = ""
    if title:
        heading = format_html('<h1 class="title"{}>{}</h1>', _attribute("lang", lang), title)
    path = context.render_context.get("workbar_path", "")
    context.render_context["workbar_path"] = ""
    return format_html(
        '<div class="workbar"{}>{}{}{}</div>', _attribute("id", id), path, heading, content
    )


@register.simple_block_tag(takes_context=True)
def path(context: template.Context, content: str) -> str:
    """Give the links to the places above a page to the ``workbar`` around them."""
    context.render_context["workbar_path"] = format_html(
        '<nav class="path" aria-label="{}">{}</nav>', gettext("Path"), content
    )
    return ""


@register.simple_block_tag
def note(
    content: str,
    kind: str = "",
    icon: str | None = None,
    role: str | None = None,
    focus: bool = False,
    id: str = "",
    css: str = "",
) -> SafeString:
    """Return a note of a kind (wait, no, machine, news, yes; without one it is grey).

    Each kind has its icon; ``icon`` names another, "" none. One with ``focus`` takes the focus when
    the page is loaded; such a note and one of the kind no are alerts without another ``role``.
    """
    shape = ICON_OF_KIND.get(kind, "") if icon is None else icon
    if role is None:
        role = "alert" if focus or kind == "no" else ""
    classes = " ".join(filter(None, ("note", f"note-{kind}" if kind else "", css)))
    return format_html(
        '<div class="{}"{}{}{}>{}{}</div>',
        classes,
        _attribute("id", id),
        _attribute("role", role),
        mark_safe(' tabindex="-1" data-error-summary' if focus else ""),  # noqa: S308 - constants
        icon_of(shape) if shape else "",
        content,
    )


@register.simple_tag
def verdict_option(
    tone: str,
    icon: str,
    label: str,
    key: str,
    *,
    name: str,
    value: str,
    id: str,
    chosen: object,
    key_label: str = "",
) -> SafeString:
    """Return one choice of a verdict: a radio button with its key, inside ``.verdict``.

    ``tone`` is yes, no or wait. ``chosen`` is the value that stands (True counts as "true");
    ``key_label`` is what the list of keys says in place of the label.
    """
    return format_html(
        '<label class="v-{}"><input type="radio" name="{}" value="{}" id="{}" data-key="{}" '
        'data-key-label="{}" data-key-group="verdicts" aria-keyshortcuts="{}"{}>'
        "<span>{}{} {}</span></label>",
        tone,
        name,
        value,
        id,
        key.lower(),
        key_label or label,
        key.lower(),
        mark_safe(" checked") if str(chosen).lower() == value else "",  # noqa: S308 - constant
        icon_of(icon),
        label,
        keycap(key),
    )
