"""Template tags of components: the note, the choices of a verdict, tables.

``/gallery/`` shows each in use.
"""

from collections.abc import Mapping, Sequence

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, token_kwargs
from django.template.defaulttags import ForNode, IfNode, TemplateIfParser, WithNode
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from curation.base.web.look import icon as icon_of
from curation.base.web.look import keycap

register = template.Library()

ICON_OF_KIND = {"wait": "warning", "no": "warning", "machine": "diamond", "yes": "check"}


def attribute(name: str, value: object) -> SafeString:
    """Return an attribute with a space before it, or nothing for an empty value."""
    return format_html(' {}="{}"', name, value) if value else mark_safe("")


@register.simple_block_tag
def section(
    content: str, title: object, head: str = "", css: str = "section", id: str = ""
) -> SafeString:
    """Return a section under its heading; ``head`` is the id of the heading, which names it."""
    return format_html(
        '<section{}{}{}>\n<div class="head"><h2{}>{}</h2></div>\n{}</section>',
        attribute("class", css),
        attribute("id", id),
        attribute("aria-labelledby", head),
        attribute("id", head),
        title,
        content,
    )


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
        attribute("id", id),
        attribute("role", role),
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


# --- tables ---------------------------------------------------------------------------------------
OF_HEADS = {"num", "grow", "bar-cell"}  # classes of a column that its head has as well


def row_head(content: object, css: object = "", more: object = "") -> SafeString:
    """Return the first cell of a row, its heading."""
    return format_html('<th scope="row"{}{}>{}</th>', attribute("class", css), more, content)


def cell(content: object, label: object = "", css: object = "", more: object = "") -> SafeString:
    """Return another cell of a row; where a table becomes blocks, the label stands before it."""
    classes, named = attribute("class", css), attribute("data-label", label)
    return format_html("<td{}{}{}>{}</td>", classes, named, more, content)


def _attributes(values: Mapping[str, FilterExpression], context: template.Context) -> SafeString:
    drawn = ((attribute(name, value.resolve(context)),) for name, value in values.items())
    return format_html_join("", "{}", drawn)


class ColumnNode(Node):
    """A column of a table: its head, and its cell in the row of the context."""

    child_nodelists = ("content",)

    def __init__(self, parser: Parser, bits: Sequence[str], until: Sequence[str]) -> None:
        at = bits.index("if") if "if" in bits else len(bits)
        self.condition = TemplateIfParser(parser, bits[at + 1 :]).parse() if bits[at:] else None
        self.hidden, self.heading = "hidden" in bits[:at], "heading" in bits[:at]
        told = [bit for bit in bits[:at] if bit not in ("hidden", "heading")]
        names = [bit for bit in told if bit[0] not in "\"'_" and "=" in bit]
        self.attributes = token_kwargs(names[:], parser)
        self.also = self.attributes.pop("also", None)
        label, *css = (bit for bit in told if bit not in names)
        self.label = parser.compile_filter(label)
        self.css = css[0].strip("\"'") if css else ""
        self.content = parser.parse(until)

    def head(self, label: object) -> SafeString:
        if not label:
            return cell("")
        if self.hidden:
            return format_html('<th scope="col"><span class="sr">{}</span></th>', label)
        css = " ".join(name for name in self.css.split() if name in OF_HEADS)
        return format_html('<th scope="col"{}>{}</th>', attribute("class", css), label)

    def draw(self, label: object, context: template.Context) -> SafeString:
        also = self.also.resolve(context) if self.also else ""
        css = " ".join(filter(None, (self.css, also)))
        more, content = self.drawn(context)
        if self.heading:
            return row_head(content, css, more)
        named = "" if self.hidden or "bar-cell" in self.css else label
        return cell(content, named, css, more)

    def drawn(self, context: template.Context) -> tuple[SafeString, SafeString]:
        """Return further attributes and the content of the cell."""
        content = mark_safe(self.content.render(context).strip())  # noqa: S308 - rendered
        return _attributes(self.attributes, context), content


class RowNode(Node):
    """A row of a table, inside the loop over the rows."""

    child_nodelists = ()

    def __init__(self, attributes: dict[str, FilterExpression]) -> None:
        self.attributes = attributes

    def render(self, context: template.Context) -> SafeString:
        columns, blocks = context["table_columns"]
        cells = ((column.draw(label if blocks else "", context),) for column, label in columns)
        return format_html(
            "<tr{}>{}</tr>\n",
            _attributes(self.attributes, context),
            format_html_join("\n", "{}", cells),
        )


class TableNode(Node):
    child_nodelists = ("cells", "loop", "total")

    def __init__(
        self,
        columns: Sequence[ColumnNode],
        loop: ForNode,
        total: NodeList | None,
        options: dict[str, FilterExpression],
    ) -> None:
        self.columns, self.options = columns, options
        self.cells, self.loop, self.total = NodeList(columns), NodeList([loop]), total

    def render(self, context: template.Context) -> SafeString:
        told = {name: value.resolve(context) for name, value in self.options.items()}
        css = told.get("css", "")
        columns = [
            (column, column.label.resolve(context))
            for column in self.columns
            if column.condition is None or column.condition.eval(context)  # type: ignore[arg-type]
        ]
        with context.push(table_columns=(columns, "table-blocks" in css)):
            rows = self.loop.render(context)
            total = self.total.render(context) if self.total else ""
        return format_html(
            '<table class="{}">{}<thead><tr>{}</tr></thead><tbody>{}{}</tbody></table>',
            f"table {css}".strip(),
            self._caption(told),
            format_html_join("\n", "{}", ((column.head(label),) for column, label in columns)),
            rows,
            format_html('<tr class="total">{}</tr>', total) if total.strip() else "",
        )

    @staticmethod
    def _caption(told: dict[str, object]) -> SafeString:
        if "title" in told:
            return format_html("<caption>{}</caption>", told["title"])
        if "caption" in told:
            return format_html('<caption class="sr">{}</caption>', told["caption"])
        return mark_safe("")


@register.tag
def table(parser: Parser, token: Token) -> TableNode:
    """Draw a row for each of some rows, with a cell for each ``{% column %}``.

    {% table row in rows css="table-blocks" caption=_("…") %}
      {% column _("Person") %}{{ row.name }}
      {% column _("Late") "num" also=row.late|yesno:"is-wait," if deadlines %}{{ row.late|count }}
      {% column _("Steps") hidden %}…
    {% total %}<th scope="row">{% translate "All" %}</th><td class="num">{{ late|count }}</td>
    {% endtable %}

    A column has a label, classes of its cells (`OF_HEADS` also those of its head), attributes of
    its cells, and a condition that is asked once. ``also`` names further classes row by row. A
    ``hidden`` label is for those who do not see the page. The first column is the row's heading, or
    the one that says ``heading``. Of ``table``, ``row_…`` are attributes of its rows, ``title`` is
    a caption for everybody, and what follows ``with`` are names for each row.
    """
    bits = token.split_contents()[1:]
    at, end = bits.index("in"), bits.index("with") if "with" in bits else len(bits)
    options = token_kwargs(bits[at + 2 : end], parser)
    named = token_kwargs(bits[end + 1 :], parser)
    of_rows = {name[4:]: options.pop(name) for name in [*options] if name.startswith("row_")}
    names = "".join(bits[:at]).split(",")
    rows = parser.compile_filter(bits[at + 1])
    parser.parse(("column",))
    columns, total = [], None
    while (child := parser.next_token()).contents.split()[0] == "column":
        until = ("column", "total", "endtable")
        columns.append(ColumnNode(parser, child.split_contents()[1:], until))
    if child.contents == "total":
        total = parser.parse(("endtable",))
        parser.delete_first_token()
    if not any(column.heading for column in columns):
        columns[0].heading = True
    row: Node = RowNode(of_rows)
    if named:
        row = WithNode(None, None, NodeList([row]), named)
    return TableNode(columns, ForNode(names, rows, False, NodeList([row])), total, options)


class FactNode(ColumnNode):
    """A fact: its label, and what holds."""

    def render(self, context: template.Context) -> SafeString:
        more, content = self.drawn(context)
        css, label = attribute("class", self.css), self.label.resolve(context)
        return format_html("<div><dt>{}</dt>\n<dd{}{}>{}</dd></div>\n", label, css, more, content)


class FactsNode(Node):
    child_nodelists = ("facts",)

    def __init__(self, facts: NodeList, css: str, attributes: dict[str, FilterExpression]) -> None:
        self.facts, self.css, self.attributes = facts, css, attributes

    def render(self, context: template.Context) -> SafeString:
        more = _attributes(self.attributes, context)
        return format_html(
            '<dl class="{}"{}>{}</dl>',
            f"facts {self.css}".strip(),
            more,
            self.facts.render(context),
        )


@register.tag
def facts(parser: Parser, token: Token) -> FactsNode:
    """Draw a list of facts, which are told as columns of a table are.

    {% facts "is-left" %}
      {% fact _("Domain") %}{{ task.domain }}
      {% fact _("Contact") "wrap-anywhere" if contact %}{{ contact }}
      {% fact label for label, text in record %}{{ text }}
    {% endfacts %}
    """
    css, *more = token.split_contents()[1:] or [""]
    found = NodeList()
    parser.parse(("fact", "endfacts"))
    while (child := parser.next_token()).contents.split()[0] == "fact":
        bits = child.split_contents()[1:]
        at = bits.index("for") if "for" in bits else len(bits)
        told = FactNode(parser, bits[:at], ("fact", "endfacts"))
        fact: Node = told
        if bits[at:]:
            names, rows = "".join(bits[at + 1 : -2]).split(","), parser.compile_filter(bits[-1])
            fact = ForNode(names, rows, False, NodeList([told]))
        elif told.condition:
            fact = IfNode([(told.condition, NodeList([told]))])
        found.append(fact)
    return FactsNode(found, css.strip("\"'"), token_kwargs(more, parser))
