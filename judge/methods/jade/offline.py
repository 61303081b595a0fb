"""The rules that stand in for the three models of JADE. Pure; docs/offline.md describes them."""

import re
from collections.abc import Sequence
from typing import Any

from curation.base.text.language import Amount, amounts, check_terms, is_chinese, is_negated, terms
from judge.asking.providers.inputs import Criterion, Exemplar, JudgeInputs, TaskText
from judge.asking.providers.rules.grade import THRESHOLD, calibrate, judge
from judge.asking.providers.rules.passages import Passage, passages
from judge.methods.base.framing import occurs, plain
from judge.methods.evidence.search import words as page_words
from judge.methods.evidence.tiers.citations import cited_addresses
from judge.methods.jade.facts import Data
from judge.methods.jade.reading.claims import percent_off, stands
from judge.methods.jade.reading.reports import MOST_CLAIMS, MOST_ITEMS

ENOUGH = 0.6  # share of a claim's terms that an excerpt about the same thing has
PARTLY = 0.35  # evidence from which an item is partly answered; from THRESHOLD on it is a yes
FLAW = 0.8  # share of a flaw's words in one passage from which the response has it
PASSAGE = 1_200  # characters of a page that are compared with a claim
COVERED = 0.5  # share of a line's terms that a claim has if the line rests on it
MOST_CONCLUSIONS = 6
LONG = 5  # terms of a last passage that stands for a conclusion where no word says one
_ADDRESS = re.compile(r"\(?(?:https?://|www\.)[^\s)\]]+\)?|\[\d+\]", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|so that|because|recommend\w*|conclu\w+|should|means that|overall)\b"
    "|因此|所以|由此|建议|推荐|结论|意味着|应当|综上|首选|优先",
    re.IGNORECASE,
)
_AGES = frozenset(["$", "€", "£", "¥", "jpy", "hkd", "%"])


def report(response: str, sources: Sequence[str], lines: Sequence[Data]) -> dict[str, Any]:
    """Return the checklist of a response: passages with a figure or an address, and conclusions."""
    found = [one for one in passages(response) if occurs(one.quote, plain(response))]
    claims: list[dict[str, Any]] = []
    stated: list[Passage] = []
    for passage in found:
        text = " ".join(_ADDRESS.sub(" ", passage.text).split())
        figures, cited = _figures(text), cited_addresses(passage.quote)
        if not (figures or cited) or not terms(text) or text.endswith(("?", "？")):
            continue
        if _CONCLUDES.search(text):
            continue
        number = next((sources.index(one) + 1 for one in cited if one in sources), None)
        ages = any(one.unit in _AGES for one in figures)
        claims.append(
            {
                "id": f"c{len(claims) + 1}",
                "claim": text[:400],
                "quote": passage.quote[:500],
                "source": number,
                "queries": [text[:200]],
                "value": figures[0].text if len(figures) == 1 else None,
                "unit": None,
                "date": None,
                "tolerance": None,
                "recheck_days": 90 if ages else None,
            }
        )
        stated.append(passage)
        if len(claims) == MOST_CLAIMS:
            break
    return {
        "claims": claims,
        "items": _conclusions(found, stated),
        "rests_on": [
            {"id": line["id"], "claims": on} for line in lines if (on := _covering(line, claims))
        ],
    }


def _conclusions(found: Sequence[Passage], stated: Sequence[Passage]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    long = [one for one in found if len(terms(one.text)) >= LONG]
    for passage in [one for one in found if _CONCLUDES.search(one.text)] or long[-1:]:
        if len(items) == MOST_CONCLUSIONS:
            break
        words = terms(passage.text)
        on = [
            f"c{n}"
            for n, one in enumerate(stated, start=1)
            if one is passage or len(words & terms(one.text)) >= 2
        ]
        text = " ".join(_ADDRESS.sub(" ", passage.text).split())[:300]
        chinese = is_chinese(passage.text)
        asked = f"回答是否说明了理由：“{text}”？" if chinese else f"Does it give grounds: “{text}”?"
        items.append(
            {"id": f"r{len(items) + 1}", "text": asked, "weight": 5 if items else 10, "claims": on}
        )
    return items


def _covering(line: Data, claims: Sequence[Data]) -> list[str]:
    wanted = check_terms(line["text"])
    if not wanted:
        return []
    return [
        one["id"] for one in claims if len(wanted & terms(one["claim"])) >= COVERED * len(wanted)
    ]


def flat(task: TaskText, response: str) -> dict[str, Any]:
    """Return a flat checklist: the demands of the task, each as a question."""
    items: list[dict[str, Any]] = []
    for passage in passages(task.requirements or task.scenario)[:MOST_ITEMS]:
        text = passage.text[:300]
        chinese = is_chinese(passage.text)
        asked = f"回答是否做到：“{text}”？" if chinese else f"Does the response do this: “{text}”?"
        items.append({"id": f"r{len(items) + 1}", "text": asked, "weight": 10})
    return {"items": items}


def claim(stated: Data, found: Data) -> dict[str, Any]:
    """Return a verification: by the excerpt with most of the claim's terms, and by its figures."""
    verdict, share, best, number = "unverifiable", 0.0, None, None
    for one in found["excerpts"]:
        says, held, value = _compare(stated, one)
        if says != "unverifiable" and held > share:
            verdict, share, best, number = says, held, one["n"], value
    cited = found["cited"]["excerpt"] if found["cited"] else None
    entailment = None
    if cited is not None:
        says = _compare(stated, found["excerpts"][cited - 1])[0]
        entailment = {"supported": "supports", "refuted": "contradicts"}.get(says, "does_not_say")
    return {
        "why": "Rules, not a model: "
        + (f"excerpt {best} has {share:.0%} of the claim's words." if best else "no excerpt fits."),
        "verdict": verdict,
        "confidence": round(100 * share) if best else 50,
        "excerpts": [best] if best else [],
        "found_value": number,
        "found_date": None,
        "entailment": entailment,
    }


def _compare(stated: Data, excerpt: Data) -> tuple[str, float, str | None]:
    """Return what an excerpt says of a claim, its share of the claim's terms, and the number."""
    text = excerpt["text"]
    if len(text) > PASSAGE:  # of a whole page the passage about the claim, or every figure is one
        text = page_words.excerpt(text, page_words.terms(stated["text"]), PASSAGE)
    wanted, said = terms(stated["text"]), terms(f"{excerpt['title']} {text}")
    share = len(wanted & said) / len(wanted) if wanted else 0.0
    if share < ENOUGH:
        return "unverifiable", share, None
    there = [one for one in amounts(text) if stands(one.text, text)]
    figures = _figures(stated["text"])
    agreeing = [next((b for b in there if a.agrees(b)), None) for a in figures]
    if all(agreeing):
        if is_negated(stated["text"]) != is_negated(text) and not figures:
            return "unverifiable", share, None
        named = agreeing[0].text if agreeing and agreeing[0] and stated["value"] else None
        if named and (percent_off(stated, named) or 0) > stated["tolerance"]:
            return "unverifiable", share, None
        return "supported", share, named
    other = next(
        (
            b
            for a, same in zip(figures, agreeing, strict=True)
            if same is None and a.unit
            for b in there
            if a.unit == b.unit
        ),
        None,
    )
    return ("refuted", share, other.text) if other else ("unverifiable", share, None)


def answers(task: TaskText, items: Sequence[Data], response: str) -> dict[str, Any]:
    """Return answers to items by the evidence that the response holds for their words."""
    found = passages(response)
    flaws = {one["id"]: _flaw(one, found, response) for one in items if one["flaw"]}
    rows = tuple(
        Criterion(one["id"], one["text"], "important", 1, "other")
        for one in items
        if not one["flaw"]
    )
    said = judge(JudgeInputs(task, rows, None, response, tuple(one.id for one in rows)))
    evidence = calibrate(task, rows, Exemplar(response))[1]
    others = {
        row["id"]: _answer(row["id"], row["why"], evidence.get(row["id"]) or 0.0, found, response)
        for row in said["verdicts"]
    }
    return {"answers": [(flaws | others)[one["id"]] for one in items]}


def _answer(
    name: str, why: str, evidence: float, found: Sequence[Passage], response: str
) -> dict[str, str]:
    words = plain(why.partition("“")[2].partition("”")[0].rstrip("…"))
    quote = next((one.quote[:500] for one in found if words in plain(one.text)), "")
    answer = "yes" if evidence >= THRESHOLD else "partly" if evidence >= PARTLY else "no"
    if not words or not occurs(quote, plain(response)):
        quote, answer = "", "no"
    return {"id": name, "quote": quote, "why": f"Rules, not a model. {why}", "answer": answer}


def _flaw(item: Data, found: Sequence[Passage], response: str) -> dict[str, str]:
    """Return whether one passage has nearly all words of a flaw, and denies as the flaw does."""
    wanted = check_terms(item["text"])
    for one in found:
        held = len(wanted & terms(f"{one.heading} {one.text}"))
        denies = is_negated(one.text) == is_negated(item["text"])
        if wanted and held >= FLAW * len(wanted) and denies:
            quote = one.quote[:500]
            if occurs(quote, plain(response)):
                why = "Rules, not a model: one passage has the words of the flaw."
                return {"id": item["id"], "quote": quote, "why": why, "answer": "yes"}
    why = "Rules, not a model: no passage has the words of the flaw."
    return {"id": item["id"], "quote": "", "why": why, "answer": "no"}


def _figures(text: str) -> list[Amount]:
    """The figures of a text; a bare whole number up to twelve counts things and is none."""
    return [
        one
        for one in amounts(text)
        if one.unit or one.value > 12 or not float(one.value).is_integer()
    ]
