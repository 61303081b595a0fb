"""Tags and filters of the design system: shapes, bars, safe Markdown, differences, dates, numbers.

Everything here is presentation. Nothing writes a ``style`` attribute, because the content
security policy refuses it: widths are attributes of SVG elements. ``docs/look.md`` shows each tag
in use.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from curation.text import language, wording
from curation.text import markdown as markup
from curation.text.figures import decimal, percent
from curation.web import bars, dates
from curation.web.icons import ICONS, SHAPES

register = template.Library()

SILENT = mark_safe('aria-hidden="true"')  # noqa: S308 - constant


def _aria(label: object) -> SafeString:
    """An image with a sentence, or nothing at all for screen readers."""
    return format_html('role="img" aria-label="{}"', label) if label else SILENT


@register.simple_tag
def icon(name: str, label: str = "", tone: str = "", *, shared: bool = False) -> SafeString:
    """An inline SVG of the set; silent for screen readers unless ``label`` is given.

    ``tone`` is one of yes, no, wait, machine. ``shared`` where the page has the icon many times:
    its shape stands there once, from ``symbols``. Raises ``KeyError`` for a name outside the set.
    """
    return _icon(name, str(label), tone, shared)


@lru_cache(maxsize=500)  # a page of forty lines shows some hundred
def _icon(name: str, label: str, tone: str, shared: bool) -> SafeString:
    classes = f"icon icon-{name}" + (f" is-{tone}" if tone else "")
    if shared:
        return format_html(
            '<svg class="{}" {}><use href="#i-{}"/></svg>', classes, _aria(label), name
        )
    return format_html(
        '<svg class="{}" viewBox="0 0 16 16" width="16" {}>{}</svg>',
        classes,
        _aria(label),
        mark_safe(ICONS[name]),  # noqa: S308 - constant
    )


@register.filter
def apart(text: object) -> SafeString:
    """What somebody wrote, inside a sentence of ours: its direction turns nothing around it."""
    return format_html("<bdi>{}</bdi>", text)


@register.simple_tag
def symbols(*names: str) -> SafeString:
    """The shapes of icons that a page shows by ``shared``; raises ``KeyError`` like ``icon``."""
    return format_html(
        '<svg class="icon" hidden>{}</svg>',
        format_html_join(
            "",
            '<symbol id="i-{}" viewBox="0 0 16 16">{}</symbol>',
            # the page's rules do not reach into what is used elsewhere
            (
                (name, mark_safe(ICONS[name].replace('class="off"', 'opacity=".28"')))  # noqa: S308
                for name in names
            ),
        ),
    )


# --- words with a shape --------------------------------------------------------------------------
def shape_of(status: object) -> tuple[str, str]:
    """(icon, tone) of a status or shape name in any case; a ring where the name is unknown."""
    return SHAPES.get(str(status).lower().replace("-", "_").replace(" ", "_"), ("ring", ""))


@register.simple_tag
def pill(status: object, label: object = "") -> SafeString:
    """A status pill: outline, shape, word. Only the shape is coloured."""
    shape, tone = shape_of(status)
    text = label or str(status).replace("_", " ").capitalize()
    return format_html(
        '<span class="pill{}">{}{}</span>', f" pill-{tone}" if tone else "", icon(shape), text
    )


@register.simple_tag
def stage_icon(status: object) -> SafeString:
    """The shape of a status alone, for a row that prints the word itself."""
    return icon(shape_of(status)[0])


_IMPORTANCE = {
    "essential": ("bars3", _("Essential")),
    "important": ("bars2", _("Important")),
    "optional": ("bars1", _("Optional")),
}


@register.simple_tag
def importance(value: object, *, shared: bool = False) -> SafeString:
    """Three rising bars and the word; raises ``KeyError`` for anything but the three classes.

    ``shared`` as with ``icon``: the page has ``symbols`` of bars1, bars2 and bars3.
    """
    return _importance(str(value).lower(), shared, get_language())


@cache
def _importance(value: str, shared: bool, _language: str | None) -> SafeString:
    shape, word = _IMPORTANCE[value]
    return format_html('<span class="importance">{}{}</span>', icon(shape, shared=shared), word)


@register.simple_tag
@lru_cache(maxsize=500)
def keycap(*keys: str) -> SafeString:
    """Key caps beside a label; hidden from screen readers, which get ``aria-keyshortcuts``."""
    caps = format_html_join("", "<kbd>{}</kbd>", ((key,) for key in keys))
    return format_html('<span class="keys" aria-hidden="true">{}</span>', caps)


# --- bars and ticks ------------------------------------------------------------------------------
@register.simple_tag
@lru_cache(maxsize=500)
def weight_bar(weight: int | None, top: int = 10) -> SafeString:
    """A weight as numeral and short bar, full at ``top``; external weights may exceed it."""
    value = max(0, int(weight or 0))
    filled = round(30 * min(value, top) / top)
    return format_html(
        '<span class="weight"><svg class="wbar" aria-hidden="true">'
        '<rect class="fill" width="{}" height="4" rx="2"/></svg><b>{}</b></span>',
        filled,
        value,
    )


@register.simple_tag
def segbar(
    segments: Iterable[Any],
    total: float | None = None,
    size: str = "",
    mark: float | None = None,
    label: str = "",
    after: object = "",
) -> SafeString:
    """A bar of segments (count, kind, label), as wide as its box.

    Kinds: ink ink-2 ink-3 edge empty accent yes no wait machine age-1 age-2 age-3. ``size`` is
    thin or tall, ``mark`` a position in the unit of the counts (a forecast), ``after`` a text
    at the bar's end. With a label, or labels on the segments, the bar is an image with a
    sentence; without, it is silent.
    """
    parts = bars.parts(segments)
    counts = [count for count, _kind, _label in parts]
    whole = total or sum(counts)
    full = whole / 0.86 if after else whole  # room for the text behind the longest bar
    spans = bars.bar_geometry(counts, full)
    gap = " gap" if sum(1 for count in counts if count) > 1 else ""
    shapes = [
        format_html('<rect class="f-{}{}" x="{}%" width="{}%" height="100%"/>', kind, gap, x, width)
        for (number, kind, _label), (x, width) in zip(parts, spans, strict=True)
        if number
    ]
    if mark is not None and full > 0:
        at = round(min(100.0, max(0.0, 100 * float(mark) / full)), 2)
        shapes.append(format_html('<line class="mark" x1="{0}%" x2="{0}%" y1="-3" y2="115%"/>', at))
    if after:
        end = round(max((x + width for x, width in spans), default=0.0), 2)
        shapes.append(format_html('<text x="{}%" dx="10" y="15">{}</text>', end, after))
    words = label or wording.listed(f"{count(c)} {text}" for c, _kind, text in parts if text)
    return format_html(
        '<svg class="segbar{}{}" width="100%" height="12" {}><rect class="track" width="100%" '
        'height="100%"/>{}</svg>',
        f" is-{size}" if size else "",
        " is-open" if after or mark is not None else "",
        _aria(words),
        mark_safe("".join(shapes)),  # noqa: S308 - each shape went through format_html
    )


@register.simple_tag
def legend(segments: Iterable[Any]) -> SafeString:
    """The legend of a segment bar: square, count and word of each segment."""
    items = format_html_join(
        "",
        '<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="f-{}" width="10" height="10" '
        'rx="1"/></svg>{} {}</li>',
        ((kind, count(number), text) for number, kind, text in bars.parts(segments)),
    )
    return format_html('<ul class="legend">{}</ul>', items)


TICKS_AT_MOST = 40
_TICK_KINDS = {"yes": "yes", "no": "no", "done": "ink-2", "wait": "wait", "open": "empty"}


@register.simple_tag
def ticks(states: Sequence[str] | str, current: int | None = None, label: str = "") -> SafeString:
    """One tick per item (yes, no, done, wait, open); ``current`` is an index from 0.

    More than 40 become one bar of segments. Silent unless ``label`` is given, because the
    sentence with the counts stands beside it.
    """
    states = states.split() if isinstance(states, str) else list(states)
    if len(states) > TICKS_AT_MOST:
        return segbar(
            [(states.count(state), kind) for state, kind in _TICK_KINDS.items()], label=label
        )
    marks = format_html_join(
        "",
        '<i class="t-{}{}"></i>',
        ((state, " is-current" if at == current else "") for at, state in enumerate(states)),
    )
    return format_html('<span class="ticks" {}>{}</span>', _aria(label), marks)


# --- text -----------------------------------------------------------------------------------------
@register.filter(is_safe=True)
def markdown(text: str | None) -> SafeString:
    """Markdown as safe HTML: no raw HTML, no images, headings from h3 on.

    Links keep http, https and mailto only, and carry ``rel="nofollow noopener"``.
    """
    return mark_safe(markup.to_html(str(text or "")))  # noqa: S308 - through an allow-list


@register.simple_tag
def word_diff(old: str | None, new: str | None, side: str = "both") -> SafeString:
    """``markup.diff_words`` as del and ins; ``side`` "old" or "new" shows one of two columns."""
    words = {"del": gettext("removed:"), "ins": gettext("added:")}
    pieces: list[str] = []
    before = last = ""
    for kind, text in markup.diff_words(old or "", new or ""):
        if (kind, side) in (("del", "new"), ("ins", "old")):
            continue
        # Where a space went with what is not there any more, or was never needed, one is shown.
        apart = before and not before[-1].isspace() and (last, kind) == ("del", "ins")
        if apart or markup.run_together(before, text):
            pieces.append(" ")
        before, last = text, kind
        if kind == "same":
            pieces.append(format_html("{}", text))
            continue
        bare = text.rstrip()
        pieces.append(
            format_html(
                '<{0}><span class="sr">{1} </span>{2}</{0}>{3}',
                kind,
                words[kind],
                bare,
                text[len(bare) :],
            )
        )
    return mark_safe("".join(pieces))  # noqa: S308 - each piece went through format_html


# --- dates, durations, numbers -------------------------------------------------------------------
register.filter("clock", dates.clock)
register.simple_tag(dates.saved_at)
register.filter(dates.in_days)
register.filter(dates.duration)


@register.simple_tag
def when(value: datetime | date | None, clock: bool = False, zone: bool = False) -> str:
    """A date in words (`dates.day`), in a time element."""
    if value is None:
        return "–"
    exact = value.isoformat()
    if isinstance(value, datetime):
        exact = value.isoformat("T", "minutes").replace("+00:00", "Z")
    text = dates.day(value, with_clock=clock, with_zone=zone)
    return format_html('<time datetime="{}">{}</time>', exact, text)


@register.filter
def count(value: float | None) -> str:
    """A whole number with thousands separators: 2,214. Without a value: a dash."""
    return "–" if value is None else f"{round(float(value)):,}"


@register.filter
def signed(value: float | None, places: int = 2) -> str:
    """The same with a plus sign before what is above zero."""
    text = decimal(value, places)
    return text if value is None or text[0] == "−" or not text.strip("0.,") else f"+{text}"


register.filter(decimal)
register.filter(percent)


@register.filter
def listed(items: Iterable[Any]) -> str:
    """Items with the reader's own mark between them."""
    return wording.listed(items)


@register.filter(is_safe=True)
def sentences(parts: Iterable[Any]) -> SafeString:
    """Whole sentences one after the other, by the rules of the reader's language."""
    return wording.sentences(parts)


@register.filter
def lang(text: object) -> str:
    """The language of a text that is stored without one, by its script: zh-Hans or en."""
    return "zh-Hans" if language.is_chinese(str(text)) else "en"


@register.simple_tag
def gap() -> str:
    """What stands between two whole sentences of a template, by the rules of the language."""
    return wording.gap()


@register.filter
def undo_url(message: Any) -> str:
    """The address in a message's extra tag ``undo=/…/``, or nothing; only paths of this site."""
    tags = str(getattr(message, "extra_tags", "") or "").split()
    paths = (tag.removeprefix("undo=") for tag in tags if tag.startswith("undo=/"))
    return next((path for path in paths if not path.startswith("//")), "")
