"""No text that a person or a model wrote holds the process: what reads it takes linear time.

Nothing is registered by hand. The expressions and the functions are found in the code, so that a
new one is fed with the others. What is bounded by its caller is named here with the bound.
"""

import ast
import contextlib
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.growth import too_slow
from tests.test_architecture import ORDER, ROOT, imports, nodes, python_files

# -- expressions ------------------------------------------------------------------------------

PLAIN_SIGNS = ["0", "a", "A", " ", "\n", "中", "~"]
WHOLE = {"match", "fullmatch"}  # anchored at the start, unlike `search` and its like


def modules_with(names: set[str]) -> list[Path]:
    return [path for app in ORDER for path in sorted(python_files(app)) if imports(path) & names]


def module_of(path: Path) -> ModuleType:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return importlib.import_module(".".join(parts).removesuffix(".__init__"))


def expressions() -> dict[str, tuple[re.Pattern[Any], set[str]]]:
    """All regular expressions of the product by place, each with how it is used."""
    found: dict[tuple[Any, int], tuple[str, re.Pattern[Any], set[str]]] = {}

    def add(place: str, pattern: re.Pattern[Any], uses: set[str]) -> None:
        found.setdefault((pattern.pattern, pattern.flags), (place, pattern, set()))[2].update(uses)

    for path in modules_with({"re"}):
        module = module_of(path)
        uses: dict[str, list[str]] = {}
        named: dict[str, int] = {}
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses.setdefault(node.value.id, []).append(node.attr)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                named[node.id] = named.get(node.id, 0) + 1
            if (inline := _inline(node)) is not None:
                add(f"{module.__name__}:{node.lineno}", *inline)  # type: ignore[attr-defined]
        for name, value in vars(module).items():
            # A pattern that is handed on may be used in any way.
            direct = isinstance(value, re.Pattern) and len(uses.get(name, ())) == named.get(name)
            for pattern in _patterns(value):
                add(f"{module.__name__}.{name}", pattern, set(uses[name]) if direct else {"search"})
    return {place: (pattern, used) for place, pattern, used in found.values()}


def _inline(node: ast.AST) -> tuple[re.Pattern[Any], set[str]] | None:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return None
    of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
    first = node.args[0]
    if not of_re or node.func.attr in ("escape", "compile") or not isinstance(first, ast.Constant):
        return None
    return re.compile(first.value), {node.func.attr}


def _patterns(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, dict):
        for one in value.values():
            yield from _patterns(one, depth + 1)
    elif depth < 4 and isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _patterns(one, depth + 1)
    elif depth < 4 and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _patterns(getattr(value, field.name), depth + 1)


# Bounded by what comes before them.
SHORT_EXPRESSIONS = {
    "rubrics.linter.support._TOLERANCE": "forty characters before a figure",
    "curation.tasks.task.exact_actions._HOST": "120 characters",
    "config.throttle._LIMIT": "a setting",
}


def test_every_regular_expression_takes_linear_time():
    found = expressions()
    slow = []
    for place, (pattern, used) in found.items():
        if place in SHORT_EXPRESSIONS:
            continue
        raw = pattern.pattern
        source = raw if isinstance(raw, str) else raw.decode("latin-1")
        plain = re.sub(r"\\[a-zA-Z]|\(\?[:P!=<a-zA-Z-]+|\{[\d,]+\}", " ", source)
        own = {sign for sign in plain if not sign.isalnum() and not sign.isspace()}
        words = list(dict.fromkeys(re.findall(r"[A-Za-z]{2,}|[\u3400-\u9fff]+", plain)))[:1]
        signs = [*PLAIN_SIGNS, *sorted(own)[:12]]
        texts = [("", sign) for sign in [*signs, *words, *(f"{word} " for word in words)]]
        texts += [("", sign + other) for sign in ("0", "a") for other in (" ", *sorted(own)[:4])]
        texts += [(word, sign) for word in words for sign in signs[:12]]
        results = (
            (before, too_slow(_use_of(pattern, used), sign, before=before, after="\x01"))
            for before, sign in texts
        )
        slow += [next((f"{place}: {before!r} + {grown}" for before, grown in results if grown), "")]
    assert [one for one in slow if one] == []
    assert set(SHORT_EXPRESSIONS) <= set(found)


def _use_of(pattern: re.Pattern[Any], used: set[str]) -> Callable[[str], object]:
    def use(text: str) -> None:
        given: Any = text if isinstance(pattern.pattern, str) else text.encode()
        if used <= WHOLE:
            pattern.match(given)
            pattern.fullmatch(given)
        else:
            for _match in pattern.finditer(given):
                pass

    return use


# -- functions --------------------------------------------------------------------------------

READING = {"re", "difflib", "unicodedata", "html.parser", "markdown_it", "nh3"}
PATTERNS = [
    *("0", "a", "A", " ", "\n", "中", "(", "“", '"', "'", "[", "{", "<", "*", "`", "|", "-", "."),
    *("0,1,", "1 ", "a ", "- ", "1. ", "[](", "```\n", "a\n", "grade:", "answer \n", "“a” "),
]
# How a parameter is filled that takes no text, by its annotation.
FILLED: dict[Any, Any] = {bool: False, int: 1, list[str]: ()}
EXEMPT = {
    "curation.base.web.look.markdown": "curation.base.text.markdown.to_html",
    "judge.asking.endpoints.actions.problem_with_address": "one line, which is looked up",
    "judge.methods.evidence.tiers.hosts.suffixes": "a name of a host: 253 characters",
    "judge.methods.base.framing.template_of": "a file of our own",
}


def readers() -> dict[str, Callable[[str], object]]:
    """The public functions of the modules that read texts, by name, called with a text alone."""
    found = {}
    for path in modules_with(READING):
        module = module_of(path)
        for name, value in vars(module).items():
            function = inspect.unwrap(value) if callable(value) else None
            ours = inspect.isfunction(function) and function.__module__ == module.__name__
            if ours and not name.startswith("_") and (call := _call_of(function)) is not None:
                found[f"{module.__name__}.{name}"] = call
    return found


def _call_of(function: Callable[..., Any]) -> Callable[[str], object] | None:
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    texts = {p.name for p in needed if p.annotation in (str, str | None)}
    if not texts or any(p.name not in texts and p.annotation not in FILLED for p in needed):
        return None
    named = {p.name for p in needed if p.kind is p.KEYWORD_ONLY}

    def call(text: str) -> None:
        given = {p.name: text if p.name in texts else FILLED[p.annotation] for p in needed}
        # A refusal is as good as a result: only the time counts.
        with contextlib.suppress(Exception):
            function(
                *(value for name, value in given.items() if name not in named),
                **{name: value for name, value in given.items() if name in named},
            )

    return call


def test_every_function_that_reads_a_text_takes_linear_time():
    found = readers()
    slow = []
    for name in found.keys() - EXEMPT.keys():
        results = (too_slow(found[name], pattern) for pattern in PATTERNS)
        slow += [next((f"{name}: {grown}" for grown in results if grown), "")]
    assert [one for one in slow if one] == []
    assert EXEMPT.keys() <= found.keys()
