"""Every main page of the sample programme, by who reads it."""

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command

from config.sample.people import walk_to_trial
from curation.applications.models import Application
from curation.domains.models import Domain
from curation.exams.models import ExamSitting
from curation.invitations.actions import invite_vendor, use_invitation
from curation.invitations.links import path_of
from curation.invitations.models import Invitation
from curation.panels.actions import join_panel
from curation.people.models import User
from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from curation.trials.models import Trial
from review.assignment.models import Review
from review.decisions.actions import take_decision
from review.policy.actions import change_policy, common_policy, rules_of
from review.rounds.actions import finish_round, set_verdict
from rubrics.sending.actions import send_to_review
from tests.access.matrix import ROLES
from tests.access.sample_things import things
from tests.conftest import PASSWORD
from tests.programme import sample_programme

AXE = Axe().axe_script
HEAVY = ("serious", "critical")
# Rules that never find anything heavy are not run, nothing is fetched again, no page has frames.
# Contrast takes longer than everything else together: a text is only looked at if no text before
# it had the same colour, size and weight over the same layers, its neighbours' among them. The
# other rules ask what a page says, not where it stands: once they have seen a page, they look at it
# in another window only around what came or went there. Those that ask more look at all of it.
BY_WIDTH = ["scrollable-region-focusable", "link-in-text-block", "bypass"]
LOOK = """
async (seen) => {
  const known = new Set(seen), fresh = [], news = [];
  const short = (text) => {  // 53 bits: all looks go along with each page, so they must be small
    let a = 0xdeadbeef, b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return 4294967296 * (2097151 & b) + (a >>> 0);
  };
  const layer = (el) => {
    const s = getComputedStyle(el);
    return [s.backgroundColor, s.backgroundImage, s.opacity, s.filter, s.position].join();
  };
  const kept = new Map();
  const under = (el) => {
    if (!el) return "";
    if (!kept.has(el)) kept.set(el, short(under(el.parentElement) + ">" + layer(el)));
    return kept.get(el);
  };
  const shown = new Set(document.querySelectorAll("input, textarea, select"));
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = words.nextNode()); ) if (node.data.trim()) shown.add(node.parentElement);
  for (const el of shown) {
    if (el.closest("script, style, noscript, template")) continue;
    const s = getComputedStyle(el);
    const look = [s.color, s.fontSize, s.fontWeight, s.textShadow, el.tagName, under(el)];
    const mark = short(look.join());
    if (known.has(mark) || !el.checkVisibility()) continue;
    known.add(mark);
    news.push(mark);
    fresh.push(el);
  }
  const options = { resultTypes: ["violations"], preload: false, iframes: false };
  const left = axe._audit.rules.filter(
    (rule) => ["minor", "moderate"].includes(rule.impact) || rule.id === "color-contrast",
  );
  const rules = Object.fromEntries(left.map((rule) => [rule.id, { enabled: false }]));
  const here = new Set(document.body.querySelectorAll("*"));
  for (const el of here) if (!el.checkVisibility()) here.delete(el);
  const before = document.documentElement.lookedAt;
  document.documentElement.lookedAt = here;
  let all = [];
  if (!before) {
    all = (await axe.run({ rules, ...options })).violations;
  } else {
    const include = new Set();
    const differs = [...before, ...here].filter((el) => before.has(el) !== here.has(el));
    for (const el of differs) {
      const parent = el.parentElement;
      if (!parent || before.has(parent) !== here.has(parent)) continue;
      include.add(el.closest("table") || parent);
      if (el.closest("label")?.control) include.add(el.closest("label").control);
    }
    if (include.size) {
      all = (await axe.run({ include: [...include] }, { rules, ...options })).violations;
    }
    const runOnly = { type: "rule", values: BY_WIDTH };
    all.push(...(await axe.run({ runOnly, ...options })).violations);
  }
  if (!fresh.length) return [all, news];
  const runOnly = { type: "rule", values: ["color-contrast"] };
  const contrast = await axe.run({ include: fresh }, { runOnly, ...options });
  return [all.concat(contrast.violations), news];
}
"""
LOOK = LOOK.replace("BY_WIDTH", json.dumps(BY_WIDTH))
WRITER = "writer.finance"  # an applicant in the middle of the trial task
CANDIDATE = "candidate.finance"  # whose exam waits for a senior's marks
NEWCOMER = "newcomer.finance"  # just accepted


def programme() -> dict[str, Any]:
    """The sample programme with something on every page; numbers of things by their names."""
    sample_programme()
    people = {
        name: User.objects.get(email=f"{name}@example.test")
        for name in ROLES
        if name != "anonymous"
    }
    found = {name: args[0] for name, args in things(people).items()}
    reading = Task.objects.get(pk=found["screening"])
    join_panel(actor=people["scorer"], task=reading)
    writer = User.objects.create_user(f"{WRITER}@example.test", PASSWORD)
    row = {
        "applicant_in": "finance",
        "affiliation": "Lantern Bank",
        "degree": "MSc",
        "years": 5,
        "credentials": "Lending.",
    }
    application = walk_to_trial(writer, row, people["staff"])
    found["own_trial"] = Trial.objects.get(application=application).pk
    found["own_application"] = application.pk
    found["own_result"] = application.sittings.get().pk
    waiting = ExamSitting.objects.get(application__user__email=f"{CANDIDATE}@example.test")
    found["waiting_result"] = waiting.pk
    invitation = Invitation.objects.get(pk=found["invitation"])
    found["join_link"] = path_of(invitation)
    spent = invite_vendor(actor=people["staff"], vendor="Kestrel Staffing", max_uses=1)
    use_invitation(spent)
    found["spent_link"] = path_of(spent)
    accepted = Application.objects.filter(stage="qualified").latest("pk")
    found["accepted"] = accepted.pk
    found["record"] = people["author"].pk
    found["accepted_trial"] = accepted.trials.latest("pk").pk
    found["undecided"] = left_open(people).pk
    for method in ("zero_shot", "one_shot"):
        call_command("judge", "--method", method, "--provider", "offline", "--json")
    return found


def left_open(people: dict[str, User]) -> Task:
    """A task whose only round left one line to a senior, who has taken it."""
    domain = Domain.objects.get(key="engineering")
    task = Task.objects.get(domain=domain, stage=Stage.REFINING)
    rules = {**rules_of(common_policy()), "rounds": 1}
    change_policy(actor=people["staff"], domain=domain, **rules)
    send_to_review(actor=task.author, task=task)
    current = Review.objects.get(task=task).rounds.get()
    reviewer = current.review.reviewer
    first, *others = current.version.criteria.order_by("position", "id")
    asked = {"verdict": "change", "aspect": "clarity", "suggestion": {"weight": 4}}
    set_verdict(actor=reviewer, round=current, criterion=first, **asked)
    for line in others:
        set_verdict(actor=reviewer, round=current, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=current)
    task.refresh_from_db()
    return take_decision(actor=people["senior"], task=task)


def pages(n: dict[str, Any]) -> dict[str, list[str]]:
    """Addresses by the person who opens them."""
    return {
        "": [
            "/account/login/",
            "/account/signup/",
            "/account/password/reset/",
            "/account/password/reset/done/",
            "/account/password/reset/key/7-too-old/",
            f"/account/confirm-email/{n['mail_key']}/",
            f"/notices/stop/{n['unsubscribe_token']}/",
            n["join_link"],
        ],
        CANDIDATE: [f"/exams/{n['waiting_result']}/"],
        NEWCOMER: [f"/applications/{n['accepted']}/", f"/trials/{n['accepted_trial']}/"],
        "applicant": [
            "/",
            "/apply/",
            "/terms/",
            f"/applications/{n['application']}/",
            f"/exams/{n['sitting']}/",
            "/errata/",
        ],
        WRITER: [
            "/training/",
            "/training/changes/",
            "/training/granularity/",
            f"/trials/{n['own_trial']}/",
            f"/applications/{n['own_application']}/",
            f"/exams/{n['own_result']}/",
        ],
        "author": [
            "/",
            "/tasks/",
            "/tasks/new/",
            f"/tasks/{n['draft']}/edit/",
            f"/tasks/{n['draft']}/versions/",
            f"/tasks/{n['draft']}/versions/1/",
            f"/tasks/{n['draft']}/withdraw/",
            f"/tasks/{n['in_review']}/",
            f"/tasks/{n['in_review']}/story/",
            f"/tasks/{n['refining']}/rubric/",
            f"/tasks/{n['refining']}/rubric/draft/",
            f"/tasks/{n['refining']}/rubric/versions/",
            f"/tasks/{n['refining']}/rubric/copy/",
            f"/tasks/{n['refining']}/rubric/import/",
            f"/tasks/{n['refining']}/rubric/drafts/",
            "/preferences/",
            "/preferences/referral/",
            "/notices/",
            "/account/email/",
            "/account/password/change/",
            "/account/sessions/",
            "/account/second-factor/",
            "/account/logout/",
            n["join_link"],
        ],
        "reviewer": [
            f"/screening/{n['suspect']}/check/",
            "/reviews/",
            f"/reviews/{n['review']}/",
            f"/reviews/{n['review']}/decline/",
        ],
        "scorer": [
            "/screening/",
            f"/screening/{n['screening']}/",
            f"/screening/{n['suspect']}/",
            f"/screening/{n['suspect']}/skip/",
            "/scoring/",
            f"/sheets/{n['sheet']}/",
        ],
        "senior": [
            "/",
            "/seniors/trials/",
            f"/seniors/trials/{n['trial']}/",
            "/seniors/answers/",
            f"/seniors/answers/{n['short_text']}/",
            "/spot-checks/",
            f"/spot-checks/{n['spot_check_taken']}/",
            f"/decisions/{n['undecided']}/",
            f"/meta/{n['meta']}/",
            "/staff/alignment/?bootstrap=1000",
            f"/staff/agreement/{n['disputed']}/",
        ],
        "staff": [
            "/",
            "/staff/pipeline/",
            "/staff/tasks/",
            "/staff/tasks/?q=nothing+fits",
            "/staff/marks/",
            "/staff/screening/",
            f"/staff/screening/{n['suspect']}/",
            "/staff/screening/?show=late",
            f"/staff/screening/places/{n['held_place']}/take-back/",
            "/staff/screening/rules/",
            "/staff/screening/rules/law/",
            "/staff/rubrics/rules/",
            "/staff/rubrics/rules/law/",
            "/staff/reviews/",
            "/staff/reviews/rules/",
            "/staff/reviews/rules/law/",
            f"/staff/tasks/{n['in_review']}/",
            f"/staff/tasks/{n['in_review']}/alike/",
            f"/staff/tasks/{n['in_review']}/reviewer/",
            f"/staff/tasks/{n['approved']}/reopen/",
            f"/staff/tasks/{n['approved']}/discard/",
            "/staff/people/",
            f"/staff/people/{n['person']}/",
            f"/staff/people/{n['record']}/",
            "/staff/people/invite/",
            f"/staff/people/{n['person']}/account/",
            "/staff/invitations/",
            f"/staff/invitations/{n['invitation']}/",
            "/staff/invitations/vendor/",
            "/staff/exams/",
            "/staff/exams/finance/",
            "/staff/exams/finance/questions/",
            "/staff/exams/finance/questions/?words=nothing+fits",
            "/staff/exams/finance/questions/new/",
            "/staff/exams/finance/import/",
            "/staff/exams/finance/items/",
            f"/staff/questions/{n['question']}/",
            "/staff/applications/",
            "/staff/applications/?q=expert&years=3&sort=name",
            "/staff/applications/?q=nobody+fits",
            f"/staff/applications/{n['application']}/",
            "/staff/audit/",
            f"/tasks/{n['approved']}/story/",
            "/staff/audit/?after=2099-01-01",
            "/staff/runs/",
            "/staff/runs/new/",
            f"/staff/runs/{n['run']}/",
            f"/staff/calls/{n['call']}/",
            "/staff/models/",
            "/staff/models/new/",
            "/staff/models/programme/",
            "/staff/endpoints/new/",
            "/staff/endpoints/openai/",
            "/staff/candidates/",
            "/staff/candidates/new/",
            f"/staff/candidates/{n['candidate']}/",
            f"/staff/candidates/{n['candidate']}/generate/",
            f"/staff/generations/{n['generation']}/",
            "/staff/responses/",
            f"/staff/responses/{n['response']}/",
            "/staff/drafts/",
            "/staff/alignment/?bootstrap=1000",
            "/staff/alignment/?bootstrap=1000&domain=finance",
            "/staff/alignment/thresholds/",
            f"/staff/alignment/sheets/{n['submitted_sheet']}/?judge={n['run']}",
            "/staff/alignment/sheets/",
            "/staff/alignment/sets/",
            "/staff/alignment/sets/new/",
            f"/staff/alignment/sets/{n['alignment_set']}/",
            "/staff/agreement/",
            f"/staff/agreement/{n['disputed']}/",
            "/leaderboard/",
            "/leaderboard/?by=importance&group=essential",
            "/leaderboard/?by=category",
            "/leaderboard/table/",
            "/leaderboard/halves/",
            f"/leaderboard/candidates/{n['candidate']}/",
            "/market-fit/",
            "/market-fit/finance/",
            "/market-fit/finance/price/",
            "/market-fit/finance/demand/",
            "/staff/errata/",
            "/staff/errata/new/",
            f"/staff/errata/{n['erratum']}/",
            "/staff/editions/",
            "/staff/editions/new/",
            f"/staff/editions/{n['edition']}/",
            "/staff/gold/",
            "/staff/gold/draw/",
            "/staff/gold/anchors/",
            f"/staff/gold/anchors/{n['anchor']}/baseline/",
            "/staff/gold/releases/new/",
            f"/staff/gold/releases/{n['release']}/",
        ],
    }


def refusals(n: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Addresses that refuse by the person who opens them, and the status they answer."""
    return {
        "": {n["spent_link"]: 410, "/join/cut-off/": 404, "/nothing/": 404},
        WRITER: {f"/applications/{n['own_application']}/exam/": 409, "/staff/people/": 403},
    }


def faults_on(page: Any, seen: set[int] | None = None) -> list[str]:
    """What is wrong with a page as it stands: its width, and what axe finds heavy.

    Args:
        seen: looks of texts whose contrast was found sound or told already; grows.
    """
    seen = set() if seen is None else seen
    found = []
    width, room = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    if width > room:
        found.append(f"{page.url}: {width} px wide in a window of {room} px")
    if not page.evaluate("'axe' in window"):  # once a page: it is half a megabyte to send
        page.evaluate(AXE)
    violations, new = page.evaluate(LOOK, list(seen))
    seen.update(new)
    for violation in violations:
        if violation["impact"] in HEAVY:
            where = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
            found.append(f"{page.url}, {room} px: {violation['help']} ({violation['id']}): {where}")
    return found
