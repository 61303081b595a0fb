"""The data card of a release, in English like its manifest."""

from collections.abc import Mapping, Sequence
from typing import Any

from judge.gold.releases.composition_part import lines_of
from judge.gold.releases.files import Written


def render(content: Mapping[str, Any], files: Sequence[Written]) -> str:
    """Render the card as Markdown: contents, origin, draw, files and limits."""
    counts, draw = content["counts"], content["draw"]
    return "\n".join(
        [
            "# Data card",
            "",
            _opening(content),
            "",
            "## What is in it",
            "",
            f"- {_n(counts['tasks'])} tasks from {_n(counts['domains'])} domains and "
            f"{_n(counts['categories'])} categories, drawn from {_n(counts['approved'])} "
            "approved ones.",
            f"- {_n(counts['lines'])} rubric lines, {counts['lines_fewest']} to "
            f"{counts['lines_most']} per task. Each line is one requirement that is met or not, "
            "with an importance, a weight and a dimension.",
            f"- {_n(counts['anchors'])} anchors: a baseline answer with an expert's verdict and "
            "reason on every line, validated by a senior; "
            f"{_n(counts['anchors_scored_again'])} of them after a second scoring.",
            f"- Written by {_n(counts['authors'])} authors.",
            *_responses(content),
            *_attachments(counts),
            "",
            *_strata(content["strata"], draw["strata"]),
            "",
            "## How it came about",
            "",
            "Qualified professionals wrote each task with a reference answer. A panel of the "
            "domain kept prompts that are hard, typical of the profession and gradable. The "
            "author refined a drafted rubric; at least one other expert of the domain examined "
            f"every line, in {_n(counts['review_rounds'])} rounds altogether for these tasks. "
            f"Seniors spot-checked {_n(counts['spot_checked'])} of them"
            f"{_share(counts['spot_checked'], counts['tasks'])} and accepted those.",
            "",
            "## How it was drawn",
            "",
            *_origin(content),
            f"- Size {_n(draw['size'])}, seed {draw['seed']}, per {_per(draw['strata'])}, shares: "
            f"{draw['allocation']}.",
            f"- What a {'domain' if draw['strata'] == 'domain' else 'stratum'} could not give was "
            + (
                "spread over the others."
                if draw["redistribute"]
                else "an error; nothing was filled up."
            ),
            f"- Order: {draw['order']}. The same tasks, seed and size give the same sample on "
            "any machine.",
            *(
                ["- Tasks without a validated anchor were allowed."]
                if draw["allow_unanchored"]
                else []
            ),
            *_set_aside(draw),
            *_exceptions(content),
            "",
            *_errata(content),
            *lines_of(content.get("composition")),
            "## Score",
            "",
            "The score of an answer is the weight of the lines it meets over the weight of all "
            "lines. It exists only where every line has a verdict: a missing verdict is no 0.",
            "",
            "## Files",
            "",
            *_table(
                ("File", "Rows"),
                [(f.name, "–" if f.rows is None else _n(f.rows)) for f in files],
            ),
            "",
            "`manifest.json` holds the size and SHA-256 of every file. JSON lines are the "
            "exchange format; `tasks.jsonl` can be imported as it is. In CSV files a cell that a "
            "spreadsheet would run as a formula carries an apostrophe in front.",
            "",
            "## People",
            "",
            "People appear as an index within this release (`author-1`). It cannot be joined "
            "with other releases. `provenance` names the author of each task and, as "
            "`rubric_author`, who finished its rubric: another expert where the author could not.",
            "",
            "## Left out on purpose",
            "",
            *(_left_out_line(row) for row in content["left_out"]),
            "",
            "## Limits",
            "",
            "- A rubric records what its author and reviewers asked for; another expert may ask "
            "for more.",
            "- Published tasks can end up in training data. Scores of models trained later than "
            "this release may be too high.",
            "- A judge shown an anchor has seen verdicts on that very answer: keep the anchor's "
            "own answer out of every comparison.",
            "",
        ]
    )


def _opening(content: Mapping[str, Any]) -> str:
    counts = content["counts"]
    if counts["anchors"] == counts["tasks"]:
        return (
            f"{_n(counts['tasks'])} professional tasks, every one reviewed and anchored, frozen "
            "as one release. Nothing in it changes; a correction is a new release."
        )
    return (
        f"{_n(counts['tasks'])} professional tasks, every one reviewed, "
        f"{_n(counts['anchors'])} of them anchored, frozen as one release. Nothing in it "
        "changes; a correction is a new release."
    )


def _responses(content: Mapping[str, Any]) -> list[str]:
    if not content["with_responses"]:
        return []
    return [
        f"- {_n(content['counts']['responses'])} responses of candidates, with the experts' "
        "sheets and the judges' verdicts there were. A verdict that was not given is null."
    ]


def _attachments(counts: Mapping[str, Any]) -> list[str]:
    if not counts["attachments"]:
        return []
    return [
        f"- {_n(counts['attachments'])} files that belong to the tasks "
        f"({_n(counts['attachment_bytes'])} bytes): `attachments.zip` holds each content once, "
        "named by its SHA-256; the table `attachments` says which task it belongs to and how it "
        "is called there. Nobody reads what stands inside them when a release is made."
    ]


def _origin(content: Mapping[str, Any]) -> list[str]:
    """Say which draw a release was frozen from; nothing where it drew its tasks itself."""
    draw = content["draw"]
    if "number" not in draw:
        return []
    return [
        f"- Frozen from draw {draw['number']} of {draw['drawn_on']}, which drew "
        f"{_n(draw['drawn'])} tasks before their anchors were made. "
        f"{_n(content['counts']['tasks'])} of them are in this release; no task took the place "
        "of another."
    ]


def _set_aside(draw: Mapping[str, Any]) -> list[str]:
    if not draw.get("set_aside"):
        return []
    named = ", ".join(f"{row['name']} ({_n(row['approved'])})" for row in draw["set_aside"])
    return [f"- Set aside, with fewer than {_n(draw['minimum'])} approved tasks each: {named}."]


def _exceptions(content: Mapping[str, Any]) -> list[str]:
    rows = content.get("exceptions")
    if not rows:
        return []
    return [
        "",
        "## Drawn but left out",
        "",
        *_table(
            ("Task", "Stood at", "Reason"),
            [
                (_cell(row["task"]), row["state"].replace("_", " "), _cell(row["reason"]))
                for row in rows
            ],
        ),
    ]


def _errata(content: Mapping[str, Any]) -> list[str]:
    """List what readers found wrong in earlier releases; nothing where nothing was upheld."""
    rows = content.get("errata")
    if not rows:
        return []
    return [
        "## Errata",
        "",
        "What readers reported on earlier releases and staff upheld, with what became of it here. "
        "`errata.jsonl` has the same rows.",
        "",
        *_table(
            ("Task", "Wrong since release", "Reported on", "What was wrong", "Here"),
            [
                (
                    _cell(row["task"]),
                    str(row["wrong_since"]),
                    str(row["reported_on"]),
                    _cell(row["what_was_wrong"]),
                    _here(row),
                )
                for row in rows
            ],
        ),
        "",
    ]


def _here(row: Mapping[str, Any]) -> str:
    changed = ", ".join(name.replace("_", " ") for name in row["changed"])
    return f"{row['outcome']}: {changed}" if changed else row["outcome"]


def _cell(text: str) -> str:
    """Return a text as a cell of a table in Markdown."""
    return " ".join(text.split()).replace("|", "/")


_PER = {"category": "domain and category"}
_HEADS = {
    "domain": "Domain", "category": "Domain and category", "language": "Language",
    "difficulty": "Difficulty", "value": "Value",
}  # fmt: skip


def _per(strata: str) -> str:
    return _PER.get(strata, strata)


def _strata(rows: Sequence[Mapping[str, Any]], kind: str) -> list[str]:
    return _table(
        (_HEADS.get(kind, "Stratum"), "Approved", "Anchored", "Wanted", "Drawn", "Spot-checked"),
        [
            (
                row["name"].replace("|", "/"),
                *(_n(row[n]) for n in ("approved", "anchored", "wanted", "drawn", "spot_checked")),
            )
            for row in rows
        ],
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = ["---", *("---:" for _ in head[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]


def _left_out_line(row: Mapping[str, Any]) -> str:
    number = "" if row["count"] is None else f" ({_n(row['count'])})"
    return f"- {row['what'][:1].upper()}{row['what'][1:]}{number}: {row['why']}."


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.0f} %)" if whole else ""


def _n(number: int) -> str:
    return f"{number:,}"
