"""Pages as a person has them: words to read, links to follow, forms with buttons to press."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
SILENT = {"script", "style", "template", "svg", "head", "select", "textarea"}


@dataclass
class Form:
    """A form with the values it would send as it stands."""

    action: str = ""
    method: str = "get"
    key: str = ""
    values: dict[str, list[str]] = field(default_factory=dict)
    offered: dict[str, set[str]] = field(default_factory=dict)  # what radios, ticks, lists take


@dataclass
class Button:
    """A submit button: its words, its form and what pressing it adds."""

    words: str
    form: Form
    action: str
    name: str
    value: str
    inside: str  # id of the innermost element with one, such as a line of a list


class Page(HTMLParser):
    """One answer, read as a browser without scripts reads it."""

    def __init__(self, html: str, address: str, status: int) -> None:
        super().__init__()
        self.html, self.address, self.status = html, address, status
        self.forms: list[Form] = []
        self.buttons: list[Button] = []
        self.links: list[tuple[str, str]] = []
        self.words: list[str] = []
        self._stack: list[tuple[str, str]] = []
        self._form: Form | None = None
        self._catch: list[tuple[str, list[str], dict[str, Any]]] = []
        self._owned: list[tuple[str, Any]] = []  # what names its form by id, maybe a later one
        self.feed(html)
        self.close()
        for key, claim in self._owned:
            claim(next((form for form in self.forms if form.key == key), None))

    @property
    def text(self) -> str:
        """Everything that can be read, with single spaces."""
        return " ".join(" ".join(self.words).split())

    # --- reading -----------------------------------------------------------------------------
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._stack.append((tag, at.get("id", "")))
        if any(name == "template" for name, _ in self._stack):
            return
        if tag == "form":
            self._form = Form(
                at.get("action", ""), at.get("method", "get").lower(), at.get("id", "")
            )
            self.forms.append(self._form)
        elif tag == "input" and "disabled" not in at and at.get("name"):
            self._with_form(at, lambda form: self._take_input(form, at))
        elif tag in ("button", "a", "textarea", "select"):
            self._catch.append((tag, [], at))
        elif tag == "option" and self._catch:
            self._catch[-1][2].setdefault("options", []).append(at)

    def handle_endtag(self, tag: str) -> None:
        while self._stack and self._stack[-1][0] != tag:
            self._stack.pop()
        here = next((key for _, key in reversed(self._stack) if key), "")
        if self._stack:
            self._stack.pop()
        if tag == "form":
            self._form = None
        if self._catch and self._catch[-1][0] == tag:
            _, said, at = self._catch.pop()
            getattr(self, f"_end_{tag}")("".join(said), at, here)

    def handle_data(self, data: str) -> None:
        for _, said, _ in self._catch:
            said.append(data)
        if not any(name in SILENT for name, _ in self._stack):
            self.words.append(data)

    def _with_form(self, at: dict[str, Any], claim: Any) -> None:
        def found(form: Form | None) -> None:
            if form is not None:
                claim(form)

        if at.get("form"):
            self._owned.append((at["form"], found))
        else:
            found(self._form)

    def _take_input(self, form: Form, at: dict[str, Any]) -> None:
        name, kind = at["name"], at.get("type", "text")
        value = at.get("value", "on" if kind in ("checkbox", "radio") else "")
        if kind in ("checkbox", "radio"):
            form.offered.setdefault(name, set()).add(value)
            if "checked" in at:
                form.values.setdefault(name, []).append(value)
        elif kind not in ("submit", "button", "file"):
            form.values.setdefault(name, []).append(value)

    def _end_a(self, said: str, at: dict[str, Any], here: str) -> None:
        self.links.append((" ".join(said.split()), at.get("href", "")))

    def _end_textarea(self, said: str, at: dict[str, Any], here: str) -> None:
        if at.get("name"):
            text = said.removeprefix("\n")
            self._with_form(at, lambda form: form.values.setdefault(at["name"], []).append(text))

    def _end_select(self, said: str, at: dict[str, Any], here: str) -> None:
        options = at.get("options", [])
        chosen = [o.get("value", "") for o in options if "selected" in o]
        if not chosen and options and "multiple" not in at:
            chosen = [options[0].get("value", "")]

        def claim(form: Form) -> None:
            form.values[at["name"]] = chosen
            form.offered[at["name"]] = {o.get("value", "") for o in options}

        if at.get("name"):
            self._with_form(at, claim)

    def _end_button(self, said: str, at: dict[str, Any], here: str) -> None:
        if at.get("type", "submit") != "submit" or "disabled" in at:
            return
        words = " ".join(said.split())

        def claim(form: Form) -> None:
            action = at.get("formaction") or form.action
            self.buttons.append(
                Button(words, form, action, at.get("name", ""), at.get("value", ""), here)
            )

        self._with_form(at, claim)

    # --- finding -----------------------------------------------------------------------------
    def button(self, words: str, inside: str = "") -> Button:
        """The button that begins with these words, inside the element with this id if given."""
        found = [
            b
            for b in self.buttons
            if b.words.startswith(words) and (not inside or inside in (b.inside, b.form.key))
        ]
        said = [(b.words, b.inside) for b in self.buttons]
        assert found, f"no button “{words}” on {self.address}; there are {said}"
        return found[0]

    def link(self, words: str) -> str:
        """The address behind the link that begins with these words."""
        found = [href for said, href in self.links if said.startswith(words)]
        assert found, f"no link “{words}” on {self.address}; there are {self.links}"
        return found[0]

    def form_with(self, *names: str) -> Form:
        """The form that has all these fields."""
        found = [
            form for form in self.forms if all(n in form.values or n in form.offered for n in names)
        ]
        assert found, f"no form with {names} on {self.address}"
        return found[0]
