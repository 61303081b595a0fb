"""A judgment walked through the method's interface, as the engine does it, without a database."""

import json
from datetime import UTC, datetime

from judge.asking.providers.inputs import TaskText
from judge.methods.base.material import Material
from judge.methods.base.values import FOUND
from judge.methods.evidence.search.interface import Gap, Hit, Page, SearchError
from judge.methods.evidence.tiers.tier_list import TierList
from judge.methods.jade.facts import Own
from judge.methods.query_checklists.queries import ChecklistLine, FrozenChecklist

FETCHED = datetime(2026, 3, 1, 12, tzinfo=UTC)
NONCE = "0123456789abcdef01234567"
TIERS = TierList({"gov.example": 1, "news.example": 2}, 3)
ROUNDS = 3  # for a part, as in the engine

CHECKLIST = FrozenChecklist(
    7,
    "f" * 64,
    (
        ChecklistLine(
            "sourcing:a", "Names a supplier with its price", 10, False, "sourcing", "sourcing"
        ),
        ChecklistLine("sourcing:b", "Gives the minimum order", 5, False, "sourcing", "sourcing"),
        ChecklistLine(
            "sourcing:c", "Recommends a supplier without a licence", -15, True, "law", "law"
        ),
    ),
)
TASK = TaskText("t1", "Cups", "en", "sourcing", "We sell cups.", "", "Find a supplier of cups.")


class Pages:
    """A search over a few pages: address -> (title, text); an address in `dead` has none."""

    def __init__(self, pages=None, *, dead=(), fails=0):
        self.pages, self.dead, self.fails, self.asked = pages or {}, set(dead), fails, []

    def _ask(self, what):
        self.asked.append(what)
        if self.fails:
            self.fails -= 1
            raise SearchError("the source is off")

    def find(self, query, limit=5):
        self._ask(query)
        return [
            Hit(address, title, text, FETCHED)
            for address, (title, text) in self.pages.items()
            if address not in self.dead
        ][:limit]

    def page(self, address):
        self._ask(address)
        if address in self.dead or address not in self.pages:
            gap = Gap.DEAD if address in self.dead else Gap.NOT_STORED
            return Page(address, address, "", "", None, (), gap)
        return Page(address, address, *self.pages[address], FETCHED)


def material(method, *, checklist=CHECKLIST, search=None, task=TASK):
    return Material(
        task=task,
        lines=(),
        line_pks={},
        version=None,
        version_sha256="",
        exemplar=None,
        exemplar_mark="",
        method=method,
        own=Own(checklist if method.with_checklist else None, TIERS),
        search=search or Pages(),
    )


class Walk:
    """What came of a judgment; `asked` has the prompts by the parts they asked for."""

    def __init__(self, method, about, text, replies=None):
        self.method, self.material, self.text = method, about, text
        self.replies, self.asked, self.reasons = replies or {}, [], {}
        self.findings, self.stages = dict(method.decided(about, text).findings), []
        while self.material is not None:
            last = self.material
            missing = [part for part in last.parts if part not in self.findings]
            self.stages.append(tuple(missing))
            for group in method.groups(missing):
                self._ask(group)
            if self.reasons:
                break
            self.material = method.following(last, text, self.findings)
        self.material = last

    def _ask(self, group):
        for _round in range(ROUNDS):
            group = tuple(part for part in group if part not in self.findings)
            if not group:
                return
            read = self._read(group)
            self.findings.update(json.loads(json.dumps(read.findings)))
            self.reasons.update({p: read.why_missing(p) for p in group if p not in self.findings})
            for part in self.findings:
                self.reasons.pop(part, None)

    def _read(self, group):
        if self.method.is_looked_up(group[0]):
            return self.method.look_up(self.material, self.text, group[0])
        prompt = self.material.prompt(self.text, only_ids=group, nonce=NONCE)
        self.asked.append((self.method.role_of(group[0]), group, prompt))
        said = self.replies.get(group[0])
        if isinstance(said, list):
            said = said.pop(0) if said else None
        if said is None:
            said = prompt.inputs.offline()
        reply = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return self.method.read(self.material, self.text, reply, group, cut=False)

    @property
    def score(self):
        assert not self.reasons, "the engine scores no judgment with a missing part"
        outcomes = dict.fromkeys(self.findings, FOUND)
        return self.material.score(outcomes, self.findings)
