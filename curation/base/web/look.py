"""Template tags and filters of the design system. ``/gallery/`` shows each in use.

Nothing here writes a ``style`` attribute, because the content security policy refuses it: widths
are attributes of SVG elements.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Any

from django import template
from django.template.base import Parser, Token
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from curation.base.text import language, wording
from curation.base.text.markdown import Effort, LinkedFile, diff_words, run_together, to_html
from curation.base.text.wording import decimal, percent
from curation.base.web import bars, dates
from curation.base.web.icons import ICONS, SHAPES

register = template.Library()

SILENT = mark_safe('aria-hidden="true"')  # noqa: S308 - constant


def _aria(label: object) -> SafeString:
    """Return the attributes of an image with a label, or of one hidden from screen readers."""
    return format_html('role="img" aria-label="{}"', label) if label else SILENT


@register.simple_tag
def icon(name: str, label: str = "", tone: str = "", *, shared: bool = False) -> SafeString:
    """Return an icon as inline SVG, hidden from screen readers unless it has a ``label``.

    ``tone`` is one of yes, no, wait, machine. ``shared`` refers to a shape that ``symbols`` put on
    the page, for icons that appear many times. Raises ``KeyError`` for an unknown name.
    """
    return _icon(name, str(label), tone, shared)


@lru_cache(maxsize=500)  # a page of forty lines shows about a hundred
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
    """Isolate the direction of somebody's text inside a sentence of ours."""
    return format_html("<bdi>{}</bdi>", text)


@register.simple_tag
def symbols(*names: str) -> SafeString:
    """Define shapes for icons with ``shared``. Raises ``KeyError`` for an unknown name."""
    return format_html(
        '<svg class="icon" hidden>{}</svg>',
        format_html_join(
            "",
            '<symbol id="i-{}" viewBox="0 0 16 16">{}</symbol>',
            # style rules for the class do not apply inside <use>, so it becomes an attribute
            (
                (name, mark_safe(ICONS[name].replace('class="off"', 'opacity=".28"')))  # noqa: S308
                for name in names
            ),
        ),
    )


# --- words with a shape --------------------------------------------------------------------------
def shape_of(status: object) -> tuple[str, str]:
    """Return (icon, tone) of a status or shape in any case; a ring for an unknown one."""
    return SHAPES.get(str(status).lower().replace("-", "_").replace(" ", "_"), ("ring", ""))


@register.simple_tag
def pill(status: object, label: object = "") -> SafeString:
    """Return a status pill: outline, shape, word. Only the shape is coloured."""
    shape, tone = shape_of(status)
    text = label or str(status).replace("_", " ").capitalize()
    return format_html(
        '<span class="pill{}">{}{}</span>', f" pill-{tone}" if tone else "", icon(shape), text
    )


@register.simple_tag
def stage_icon(status: object) -> SafeString:
    """Return the shape of a status alone, for a row that prints the word itself."""
    return icon(shape_of(status)[0])


_IMPORTANCE = {
    "essential": ("bars3", _("Essential")),
    "important": ("bars2", _("Important")),
    "optional": ("bars1", _("Optional")),
}


@register.simple_tag
def importance(value: object, *, shared: bool = False) -> SafeString:
    """Return three rising bars and the word. Raises ``KeyError`` for an unknown importance.

    ``shared`` as for ``icon``, with the symbols bars1, bars2 and bars3.
    """
    return _importance(str(value).lower(), shared, get_language())


@cache
def _importance(value: str, shared: bool, _language: str | None) -> SafeString:
    shape, word = _IMPORTANCE[value]
    return format_html('<span class="importance">{}{}</span>', icon(shape, shared=shared), word)


@register.simple_tag
@lru_cache(maxsize=500)
def keycap(*keys: str) -> SafeString:
    """Return key caps, hidden from screen readers, which read ``aria-keyshortcuts`` instead."""
    caps = format_html_join("", "<kbd>{}</kbd>", ((key,) for key in keys))
    return format_html('<span class="keys" aria-hidden="true">{}</span>', caps)


# --- bars and ticks ------------------------------------------------------------------------------
@register.simple_tag
@lru_cache(maxsize=500)
def weight_bar(weight: int | None, top: int = 10) -> SafeString:
    """Return a weight as number and short bar, full at ``top``; external weights may exceed it."""
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
    """Return a bar of segments (count, kind, label), as wide as its box.

    Kinds: ink ink-2 ink-3 edge empty accent yes no wait machine age-1 age-2 age-3. ``size`` is
    thin or tall, ``mark`` a position in the unit of the counts (a forecast), ``after`` a text
    at the end of the bar. Without a label, or labels of segments, the bar is hidden from screen
    readers.
    """
    parts = bars.parts(segments)
    counts = [count for count, _kind, _label in parts]
    whole = total or sum(counts)
    full = whole / 0.86 if after else whole  # leave room for the text after the longest bar
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
    """Return the legend of a bar: square, count and word of each segment."""
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
    """Return one tick per item (yes, no, done, wait, open); ``current`` is an index from 0.

    More than 40 become a bar. Hidden from screen readers unless it has a ``label``, because the
    counts stand beside it as a sentence.
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
def markdown(text: str | None, files: Iterable[Any] = ()) -> SafeString:
    """Render Markdown as safe HTML (`curation.base.text.markdown.to_html`).

    Args:
        files: those uploaded with the text, each with `name`, `view_url` and `picture_url`; what
            the text refers to is shown or linked.
    """
    linked = {file.name: LinkedFile(file.view_url, file.picture_url) for file in files}
    return mark_safe(to_html(str(text or ""), linked))  # noqa: S308 - through an allow-list


@register.simple_tag(takes_context=True)
def word_diff(
    context: template.Context, old: str | None, new: str | None, side: str = "both"
) -> SafeString:
    """Return the difference of two texts as del and ins; ``side`` "old" or "new" shows one text.

    All differences of a request share one `Effort`; what takes more is shown whole, and says so.
    """
    request = getattr(context, "request", None)
    effort: Effort = getattr(request, "effort", None) or Effort()
    if request is not None:
        request.effort = effort
    effort.cut = False
    words = {"del": gettext("removed:"), "ins": gettext("added:")}
    pieces: list[str] = []
    before = last = ""
    for kind, text in diff_words(old or "", new or "", effort):
        if (kind, side) in (("del", "new"), ("ins", "old")):
            continue
        # Show a space where two runs would otherwise join into one word.
        apart = before and not before[-1].isspace() and (last, kind) == ("del", "ins")
        if apart or run_together(before, text):
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
    if effort.cut and side != "old":
        note = gettext("Too long to be compared word by word: shown whole.")
        pieces.append(format_html(' <span class="small muted">{}</span>', note))
    return mark_safe("".join(pieces))  # noqa: S308 - each piece went through format_html


# --- dates, durations, numbers -------------------------------------------------------------------
register.filter("clock", dates.clock)
register.simple_tag(dates.saved_at)
register.filter("in_words", dates.day)
register.filter(dates.in_days)
register.filter(dates.duration)


@register.simple_tag
def when(value: datetime | date | None, clock: bool = False, zone: bool = False) -> str:
    """Return a date in words (`dates.day`) in a time element; None as a dash."""
    if value is None:
        return "–"
    exact = value.isoformat()
    if isinstance(value, datetime):
        exact = value.isoformat("T", "minutes").replace("+00:00", "Z")
    text = dates.day(value, with_clock=clock, with_zone=zone)
    return format_html('<time datetime="{}">{}</time>', exact, text)


@register.filter
def count(value: float | None) -> str:
    """Format a whole number with thousands separators: 2,214; None as a dash."""
    return "–" if value is None else f"{round(float(value)):,}"


@register.filter
def signed(value: float | None, places: int = 2) -> str:
    """Format like `decimal`, with a plus sign for values above zero."""
    text = decimal(value, places)
    return text if value is None or text[0] == "−" or not text.strip("0.,") else f"+{text}"


register.filter(decimal)
register.filter(percent)


@register.filter
def listed(items: Iterable[Any]) -> str:
    """Join items with the separator of the active language."""
    return wording.listed(items)


@register.filter(is_safe=True)
def sentences(parts: Iterable[Any]) -> SafeString:
    """Join whole sentences by the rules of the active language."""
    return wording.sentences(parts)


@register.filter
def lang(text: object) -> str:
    """Return the language of a text by its script: zh-Hans or en."""
    return "zh-Hans" if language.is_chinese(str(text)) else "en"


_GAP = "\x1f"  # stands for a gap while the sentences around it are still apart
_SPACE = " \t\r\n"
_AROUND_GAPS = re.compile(rf"(?<![{_SPACE}])[{_SPACE}]*+{_GAP}[{_SPACE}{_GAP}]*")


@register.simple_tag(takes_context=True)
def gap(context: template.Context) -> str:
    """Return what separates two sentences in the active language."""
    return str(context.get("_gap") or wording.gap())


class _Sentences(template.Node):
    def __init__(self, nodelist: template.NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: template.Context) -> SafeString:
        with context.push(_gap=_GAP):
            text = self.nodelist.render(context).strip(_SPACE)
        return mark_safe(_AROUND_GAPS.sub(wording.gap(), text))  # noqa: S308 - rendered above


@register.tag("sentences")
def sentences_block(parser: Parser, _token: Token) -> template.Node:
    """Join the parts between ``gap`` tags; white space beside these tags does not count.

    So a template may break its lines there: a space must not appear between Chinese sentences.
    """
    nodelist = parser.parse(("endsentences",))
    parser.delete_first_token()
    return _Sentences(nodelist)


@register.filter
def undo_url(message: Any) -> str:
    """Return the path in a message's extra tag ``undo=/…/``; "" if there is none on this site."""
    return _path_in(message, "undo")


@register.filter
def sent_path(message: Any) -> str:
    """Return the path in a message's extra tag ``sent=/…/``: of the form that was carried out."""
    return _path_in(message, "sent")


def _path_in(message: Any, name: str) -> str:
    tags = str(getattr(message, "extra_tags", "") or "").split()
    paths = (tag.removeprefix(f"{name}=") for tag in tags if tag.startswith(f"{name}=/"))
    return next((path for path in paths if not path.startswith("//")), "")
