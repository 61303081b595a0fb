"""What products answer, put together from the passages of a task's file. Pure.

A version of skill s uses each strong passage with about that chance. The draws rest on the names of
product, task and passage, so that the answers are the same on every machine, a later version of a
product keeps what an earlier one had right, and products fail at different places.
"""

import csv
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from config.sample.products import FILES

HEAD = {  # above the items of a list, and of a selection
    "en": ("These meet every criterion:", "I would book these, each for the reason given:"),
    "zh": ("没有按合同执行的有：", "建议选择以下达人："),
}
ANSWER = {  # the last line, as candidates are asked for it
    "en": "Final answer: {answer} (Confidence: {sure} %)",
    "zh": "最终答案：{answer}（置信度：{sure} %）",
}


def chance(*names: str) -> float:
    """Return a number in [0, 1) that rests on names alone."""
    digest = hashlib.sha256("\x1f".join(names).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def compose(task: Mapping[str, Any], slug: str, product: str, voice: str, skill: float) -> str:
    """Return the answer of a product to a task.

    Args:
        voice: the product's first sentence.
        skill: share of the strong passages that it finds, 0 to 1.
    """
    make = {"list": _list, "selection": _selection, "exact": _exact}.get(task["form"], _text)
    return f"{voice}\n\n{make(task, slug, product, skill)}\n"


def _has(slug: str, product: str, n: object, skill: float) -> bool:
    return chance(product, slug, str(n)) < skill


def _text(task: Mapping[str, Any], slug: str, product: str, skill: float) -> str:
    rows = enumerate(task["rubric"])
    said = (row["good"] if _has(slug, product, n, skill) else row["poor"] for n, row in rows)
    return "\n\n".join(passage for passage in said if passage)


def _list(task: Mapping[str, Any], slug: str, product: str, skill: float) -> str:
    # Lists are what products are best at, so that coverages reach the upper bands.
    better = 1 - (1 - skill) ** 1.8
    rows = enumerate(task["rubric"])
    right = [row["good"] for n, row in rows if _has(slug, product, n, better)]
    wrong = [entry for entry in task["wrong"] if not _has(slug, product, entry, skill + 0.25)]
    entries = "\n".join(f"{n}. {entry}" for n, entry in enumerate([*right, *wrong], start=1))
    return f"{HEAD[task['language']][0]}\n\n{entries}"


@cache
def _creators() -> dict[str, dict[str, str]]:
    with (FILES / "creators.csv").open(encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def _reason(text: str) -> str:
    """Return the second sentence of a profile, after name and country."""
    return text.split(". ")[1] if ". " in text else text


def _selection(task: Mapping[str, Any], slug: str, product: str, skill: float) -> str:
    good = sorted(task["good_keys"], key=lambda key: chance(product, slug, key))
    poor = sorted(task["poor_keys"], key=lambda key: chance(product, slug, key))
    wanted = [_has(slug, product, n, skill) for n in range(task["number"])]
    keys = [(good if one else poor).pop() for one in wanted]
    rows = [_creators()[key] for key in keys]
    said = "\n".join(f"- {row['name']}: {_reason(row['text'])}." for row in rows)
    listed = [{"name": row["name"], "link": row["link"]} for row in rows]
    block = json.dumps(listed, ensure_ascii=False, indent=1)
    return f"{HEAD[task['language']][1]}\n\n{said}\n\n```json\n{block}\n```"


def _exact(task: Mapping[str, Any], slug: str, product: str, skill: float) -> str:
    right = _has(slug, product, "answer", skill + task["ease"])
    # The first wrong answer is the most frequent one.
    pick = int(chance(product, slug, "wrong") ** 3 * len(task["wrong"]))
    answer, why = (task["answer"], task["right"]) if right else task["wrong"][pick]
    sure = round(45 + 40 * skill + 14 * chance(product, slug, "sure"))
    return f"{why}\n\n" + ANSWER[task["language"]].format(
        answer=f"{answer} {task['unit']}".strip(), sure=min(sure, 99)
    )
