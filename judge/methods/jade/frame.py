"""The questions of JADE: one kind for each stage, each with a beginning that it shares."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from judge.asking.prompts.frames import NOTHING, object_with_list, task_values, token_of, without
from judge.asking.prompts.parts import clean, inline, language_name, version_of
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import MethodInputs
from judge.methods.base.framing import object_of, template_of
from judge.methods.base.material import Material
from judge.methods.jade import offline
from judge.methods.jade.facts import (
    CLAIM,
    ITEM,
    REPORT,
    WEIGHTS,
    Data,
    Own,
    claims_of,
    id_of,
    sources_of,
)
from judge.methods.jade.reading.reports import MOST_CLAIMS, MOST_ITEMS, RECHECK_DAYS
from judge.methods.jade.scoring import Verification

TEXT = {"type": "string"}
TEXT_OR_NONE = {"anyOf": [{"type": "string"}, {"type": "null"}]}
NAMES = {"type": "array", "items": TEXT}
MOST_IDS = 250  # what OpenAI's strict schemas take


def items_of(own: Own) -> list[Data]:
    """Return all items that are judged, layer 1 first."""
    return [*own.lines, *(own.report["items"] if own.report else ())]


class JadeFrame:
    """The questions about one response, as far as it is taken apart.

    Args:
        flat: whether the first question asks for a flat checklist instead of claims and items.
    """

    def __init__(self, material: Material, *, flat: bool) -> None:
        self.material, self.flat = material, flat
        self.own: Own = material.own
        self.template = template_of("jade")
        asks_for_report = REPORT in material.parts and self.own.report is None
        self.prefix = self._first_prefix if asks_for_report else self._items

    def prompt_for(
        self, response_text: str, *, only_ids: Sequence[str] | None = None, nonce: str
    ) -> Prompt:
        """Return the question about parts of one stage; see `judge.methods.base.material.Frame`.

        Without `only_ids` it is the question for the newest stage, of several the first.
        """
        parts = self.material.parts
        wanted = parts if only_ids is None else tuple(p for p in parts if p in set(only_ids))
        response = clean(response_text)
        items = tuple(part for part in wanted if part.startswith(ITEM))
        claims = tuple(part for part in wanted if part.startswith(CLAIM))
        if items:
            return self._ask_items(response, items, nonce)
        if claims:
            return self._ask_claim(claims[0], nonce)
        return self._ask_report(response, nonce)

    # -- the three questions ----------------------------------------------------------------------

    def _ask_report(self, response: str, nonce: str) -> Prompt:
        sources = sources_of(response)
        shown = "\n".join(f"{n}: {inline(one)}" for n, one in enumerate(sources, start=1))
        suffix = self.template.fill(
            "flat_suffix" if self.flat else "report_suffix",
            nonce=nonce,
            response=without(nonce, response),
            sources=without(nonce, shown) or NOTHING,
        )
        task, own = self.material.task, self.own
        if self.flat:
            schema = object_of({"items": _list({"id": TEXT, "text": TEXT, "weight": _WEIGHT})})
            rules = partial(offline.flat, task, response)
        else:
            schema = _report_schema(with_lines=bool(own.lines))
            rules = partial(offline.report, response, sources, own.lines)
        return self._prompt(
            self._first_prefix, suffix, schema, "parts", inputs=(response, (REPORT,), rules)
        )

    def _ask_claim(self, part: str, nonce: str) -> Prompt:
        assert self.own.report is not None
        assert self.own.found is not None
        claim, found = claims_of(self.own.report)[id_of(part)], self.own.found[id_of(part)]
        suffix = self.template.fill(
            "claim_suffix",
            nonce=nonce,
            claim=without(nonce, clean(_claim_row(claim))),
            excerpts=without(nonce, clean("\n".join(_excerpt_rows(found)))) or NOTHING,
        )
        schema = _claim_schema([one["n"] for one in found["excerpts"]])
        rules = partial(offline.claim, claim, found)
        return self._prompt(
            self._claim, suffix, schema, "verification", inputs=("", (part,), rules)
        )

    def _ask_items(self, response: str, wanted: tuple[str, ...], nonce: str) -> Prompt:
        asked = {id_of(part) for part in wanted}
        items = [one for one in items_of(self.own) if one["id"] in asked]
        on = self._dependencies
        named = {claim for one in items for claim in on.get(one["id"], ())}
        suffix = self.template.fill(
            "items_suffix",
            nonce=nonce,
            lines=without(nonce, clean("\n".join(_item_row(one, on) for one in items))),
            claims=without(nonce, clean("\n".join(self._verified(named)))) or NOTHING,
            response=without(nonce, response),
            wanted=json.dumps([one["id"] for one in items], ensure_ascii=False),
        )
        schema = _items_schema([one["id"] for one in items])
        rules = partial(offline.answers, self.material.task, items, response)
        return self._prompt(
            self._items, suffix, schema, "answers", inputs=(response, wanted, rules)
        )

    def _prompt(
        self,
        prefix: str,
        suffix: str,
        schema: Mapping[str, Any],
        name: str,
        *,
        inputs: tuple[str, tuple[str, ...], Callable[[], Mapping[str, Any]]],
    ) -> Prompt:
        """Return a question; `inputs` are the response, the parts, and the offline rules."""
        task = self.material.task
        return Prompt(
            purpose="judge",
            prefix=prefix,
            suffix=suffix,
            schema=schema,
            schema_name=name,
            inputs=MethodInputs(task, *inputs),
            prompt_version=version_of(self.template, task),
            pictures=() if prefix == self._claim else task.pictures,
        )

    # -- what they share --------------------------------------------------------------------------

    @cached_property
    def _first_prefix(self) -> str:
        values = self._values
        if self.flat:
            return self._filled("flat", values, most_items=str(MOST_ITEMS))
        lines = "\n".join(_item_row(one, {}) for one in self.own.lines)
        token = token_of(*values.values(), lines)
        return self.template.fill(
            "report",
            **values,
            token=token,
            most_claims=str(MOST_CLAIMS),
            most_items=str(MOST_ITEMS),
            layer=self.template.sections["layer"] if lines else "",
            further=_FURTHER if lines else "",
            checklist=self.template.fill("checklist", token=token, lines=lines) if lines else "",
        )

    @cached_property
    def _claim(self) -> str:
        values = self._values
        return self.template.fill("claim", domain=values["domain"], language=values["language"])

    @cached_property
    def _items(self) -> str:
        return self._filled("items", self._values)

    def _filled(self, section: str, values: Mapping[str, str], **further: str) -> str:
        return self.template.fill(section, token=token_of(*values.values()), **values, **further)

    @cached_property
    def _values(self) -> dict[str, str]:
        task = self.material.task
        return {
            "domain": inline(task.domain) or "the field",
            "language": language_name(task.language),
            **task_values(task),
        }

    @cached_property
    def _dependencies(self) -> Mapping[str, Sequence[str]]:
        report = self.own.report
        if report is None:
            return {}
        return report["rests_on"] | {one["id"]: one["depends_on"] for one in report["items"]}

    def _verified(self, named: set[str]) -> list[str]:
        """Return the claims that items rest on, with what was found of them."""
        rows = []
        for claim in self.own.report["claims"] if self.own.report else ():
            said = (self.own.claims or {}).get(claim["id"])
            if claim["id"] in named and said:
                row = {"id": claim["id"], "claim": claim["text"], "verdict": said["verdict"]}
                rows.append(json.dumps(row, ensure_ascii=False))
        return rows


_FURTHER = ', "rests_on": [{"id": the line\'s id, "claims": [ids]}]'
_WEIGHT = {"type": "integer", "enum": list(WEIGHTS)}


def _list(properties: dict[str, Any]) -> Any:
    return object_with_list("rows", properties)["properties"]["rows"]


def _or_none(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _report_schema(*, with_lines: bool) -> dict[str, Any]:
    claim = {
        "id": TEXT,
        "claim": TEXT,
        "quote": TEXT,
        "source": _or_none({"type": "integer"}),
        "queries": NAMES,
        "value": TEXT_OR_NONE,
        "unit": TEXT_OR_NONE,
        "date": TEXT_OR_NONE,
        "tolerance": _or_none({"type": "number"}),
        "recheck_days": _or_none({"type": "integer", "enum": list(RECHECK_DAYS)}),
    }
    lists = {
        "claims": _list(claim),
        "items": _list({"id": TEXT, "text": TEXT, "weight": _WEIGHT, "claims": NAMES}),
    }
    if with_lines:
        lists["rests_on"] = _list({"id": TEXT, "claims": NAMES})
    return object_of(lists)


def _claim_schema(numbers: Sequence[int]) -> dict[str, Any]:
    entailment = {"type": "string", "enum": ["supports", "contradicts", "does_not_say"]}
    return object_of(
        {
            "why": TEXT,
            "verdict": {"type": "string", "enum": [str(one) for one in Verification]},
            "confidence": {"type": "integer"},
            "excerpts": {"type": "array", "items": {"type": "integer", "enum": list(numbers)}},
            "found_value": TEXT_OR_NONE,
            "found_date": TEXT_OR_NONE,
            "entailment": _or_none(entailment),
        }
    )


def _items_schema(ids: Sequence[str]) -> Mapping[str, Any]:
    name = {**TEXT, "enum": list(ids)} if len(ids) <= MOST_IDS else TEXT
    answer = {"type": "string", "enum": ["yes", "partly", "no"]}
    return object_with_list("answers", {"id": name, "quote": TEXT, "why": TEXT, "answer": answer})


def _item_row(item: Data, on: Mapping[str, Sequence[str]]) -> str:
    row = {"id": item["id"], "line": clean(item["text"])}
    if item["flaw"]:
        row["flaw"] = True
    if on.get(item["id"]):
        row["rests_on"] = list(on[item["id"]])
    return json.dumps(row, ensure_ascii=False)


def _claim_row(claim: Data) -> str:
    row = {"claim": claim["text"], "passage": claim["quote"]}
    names = ("value", "unit", "date", "tolerance")
    row |= {name: claim[name] for name in names if claim[name] is not None}
    return json.dumps(row, ensure_ascii=False)


def _excerpt_rows(found: Data) -> list[str]:
    cited = found["cited"]["excerpt"] if found["cited"] else None
    rows = []
    for one in found["excerpts"]:
        row: dict[str, Any] = {"excerpt": one["n"], "address": one["address"]}
        if one["n"] == cited:
            row |= {"cited_by_the_response": True, "whole_page": found["cited"]["whole"]}
        row |= {"title": one["title"], "fetched": one["fetched_at"][:10], "notes": one["notes"]}
        rows.append(json.dumps({**row, "text": one["text"]}, ensure_ascii=False))
    return rows
