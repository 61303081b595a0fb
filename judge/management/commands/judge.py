"""Work on a judge run in the foreground."""

import json
import signal
import threading
import time
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.storable import one_line
from curation.base.text.wording import listed
from curation.base.web.refusals import WorkbenchError
from judge.asking.calls import cost
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import EVERY_OPEN_TASK, EVERY_TASK, TaskSet
from judge.base.queue import leases
from judge.management.arguments import dollars, names
from judge.methods.base import registry
from judge.methods.variants.models import JudgeVariant
from judge.runs.engine.held_out import looks_of_run
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.blocked_runs import blocking_runs
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.planning.skipping import SKIPPED
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from judge.runs.pages.estimate import estimate_of

# Seconds to wait for responses that another run is judging before reporting it; short, as a person
# is watching.
PATIENCE = 5.0


class Command(BaseCommand):
    """`manage.py judge`: plans or resumes a run, works on it, and prints a summary."""

    help = "Judges candidates' responses with a model, in the foreground."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--variant", default="", metavar="NAME", help="take judge, prompt and example from it"
        )
        parser.add_argument("--method", choices=list(registry.METHODS))
        parser.add_argument("--provider")
        parser.add_argument("--model", default="", help="needed unless the provider is offline")
        parser.add_argument(
            "--tasks",
            type=names,
            help="keys of tasks, separated by commas, or a set of tasks: all, draw:3, release:2, "
            "draw:3/development, draw:3/held-out. Default: all that are not held out",
        )
        parser.add_argument(
            "--held-out-reason",
            default="",
            metavar="WHY",
            help="why held-out tasks are judged; such runs are counted",
        )
        parser.add_argument("--candidates", type=names, help="names, separated by commas")
        parser.add_argument("--calls", choices=JudgeRun.Calls.values, help="default: per_response")
        parser.add_argument("--concurrency", type=int)
        parser.add_argument("--budget-usd", type=dollars, help="most that may be spent, in dollars")
        parser.add_argument("--max-calls", type=int, help="most calls, failed ones included")
        parser.add_argument("--experts", default="", help="rater of imported example sheets")
        parser.add_argument("--allow-same-family", action="store_true")
        parser.add_argument(
            "--batch", action="store_true", help="in the provider's batches: half the price"
        )
        parser.add_argument(
            "--look-every", type=float, default=30.0, help="seconds between looks at batches"
        )
        for role, words in registry.roles().items():
            parser.add_argument(f"--{role}-provider", default="", help=words)
            parser.add_argument(f"--{role}-model", default="", help="default: the judge's own")
        parser.add_argument(
            "--search",
            default="",
            metavar="local:FOLDER",
            help="where claims are looked up, for a method that does",
        )
        parser.add_argument("--resume", type=int, metavar="RUN", help="continue a run")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        self.quiet = options["json"]
        token = leases.new_token()
        try:
            resumed = options["resume"] is not None
            run = self._resumed(options) if resumed else self._planned(options, token)
        except WorkbenchError as refusal:
            raise CommandError(refusal.text) from refusal
        self._announce(run)
        stop = threading.Event()
        started = time.monotonic()
        self.reported: list[str] = []
        worked = self._work(run, token, stop)
        while worked and run.state == JudgeRun.State.RUNNING and not run.lease:
            # The run waits for its own or another run's batches. If killed here, it continues with
            # --resume.
            self._report_blocking_runs(run)
            if stop.wait(max(0.0, options["look_every"])):
                break
            worked = self._work(run, leases.new_token(), stop)
        if not worked:
            raise CommandError(_("Another process is working on run %(run)s.") % {"run": run.pk})
        result = lifecycle.summary(run, seconds=time.monotonic() - started)
        result["held_out"] = looks_of_run(run).as_dict()
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False))
        else:
            self._report(run, result)
        if run.state == JudgeRun.State.PAUSED and not stop.is_set():
            raise CommandError(run.why)
        if run.state == JudgeRun.State.WAITING and result["waits_for"]:
            raise CommandError("\n".join(wait["why"] for wait in result["waits_for"]))

    def _planned(self, options: dict[str, Any], token: str) -> JudgeRun:
        settings = self._variant(options) if options["variant"] else self._by_hand(options)
        keys, tasks = tasks_asked_for(options["tasks"], options["held_out_reason"])
        return plan_run(
            actor=None,
            **settings,
            concurrency=8 if options["concurrency"] is None else options["concurrency"],
            budget_micro=options["budget_usd"],
            max_calls=options["max_calls"],
            task_keys=keys,
            tasks=tasks,
            held_out_reason=options["held_out_reason"],
            candidates=options["candidates"],
            allow_same_family=options["allow_same_family"],
            batch=options["batch"],
            hold=token,
        )

    def _variant(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the settings of a variant. Raises CommandError for an unknown name."""
        settled = ("method", "provider", "model", "calls", "experts", "search", *_further_names())
        given = [f"--{name.replace('_', '-')}" for name in settled if options[name]]
        if given:
            raise CommandError(
                _("The variant settles that: leave out %(options)s.")
                % {"options": ", ".join(given)}
            )
        variant = JudgeVariant.objects.filter(name=one_line(options["variant"])).first()
        if variant is None:
            names = JudgeVariant.objects.values_list("name", flat=True)[:12]
            raise CommandError(
                _("There is no variant “%(name)s”. Variants: %(known)s.")
                % {"name": options["variant"], "known": listed(names) or "–"}
            )
        return variant.settings()

    def _by_hand(self, options: dict[str, Any]) -> dict[str, Any]:
        for name in ("method", "provider"):
            if not options[name]:
                raise CommandError(_("Say which --%(name)s to use.") % {"name": name})
        return {
            "method": options["method"],
            "provider": options["provider"],
            "model": options["model"],
            "calls_mode": options["calls"] or JudgeRun.Calls.PER_RESPONSE,
            "experts": options["experts"],
            "further": _further(options),
            "search": options["search"],
        }

    def _resumed(self, options: dict[str, Any]) -> JudgeRun:
        fixed = (
            *("variant", "method", "provider", "model", "tasks", "candidates", "experts"),
            *("calls", "batch", "allow_same_family", "held_out_reason", "search"),
            *_further_names(),
        )
        given = [f"--{name.replace('_', '-')}" for name in fixed if options[name]]
        if given:
            raise CommandError(
                _("A resumed run keeps its configuration: leave out %(options)s.")
                % {"options": ", ".join(given)}
            )
        run = JudgeRun.objects.filter(pk=options["resume"]).first()
        if run is None:
            raise CommandError(_("There is no run %(run)s.") % {"run": options["resume"]})
        return lifecycle.continue_run(
            actor=None,
            run=run,
            budget_micro=options["budget_usd"],
            max_calls=options["max_calls"],
            concurrency=options["concurrency"],
        )

    def _work(self, run: JudgeRun, token: str, stop: threading.Event) -> bool:
        def interrupt(number: int, frame: object) -> None:
            stop.set()
            for name, handler in before.items():  # a second Ctrl-C ends the process at once
                signal.signal(name, handler)
            self.stderr.write(_("Stopping after the calls under way …"))

        before: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            before = {
                name: signal.signal(name, interrupt) for name in (signal.SIGINT, signal.SIGTERM)
            }
        try:
            return work_on_run(
                run,
                token=token,
                stop=stop,
                on_progress=None if self.quiet else self._progress,
                patience=PATIENCE,
            )
        finally:
            for name, handler in before.items():
                signal.signal(name, handler)

    # -- output -----------------------------------------------------------------------------------

    def _announce(self, run: JudgeRun) -> None:
        if self.quiet:
            return
        found = estimate_of(run)
        self.stdout.write(
            ngettext(
                "%(run)s: %(responses)s response, about %(calls)s calls and %(tokens)s tokens.",
                "%(run)s: %(responses)s responses, about %(calls)s calls and %(tokens)s tokens.",
                found.responses,
            )
            % {
                "run": run,
                "responses": found.responses,
                "calls": found.calls,
                "tokens": f"{found.input_tokens + found.output_tokens:,}",
            }
        )
        if found.cost_micro is None:
            self.stdout.write(_("The cost is not known. %(why)s") % {"why": found.why})
        elif found.cost_micro:
            self.stdout.write(
                _("It will cost about $%(cost)s if nothing is cached.")
                % {"cost": f"{found.cost_micro / cost.MILLION:,.2f}"}
            )
        self.shown = 0

    def _progress(self, completed: int, total: int) -> None:
        tenth = 10 * completed // max(1, total)
        if tenth > self.shown:
            self.shown = tenth
            self.stdout.write(f"  {completed}/{total}")

    def _report_blocking_runs(self, run: JudgeRun) -> None:
        lines = [other.explanation for other in blocking_runs(run)]
        if lines != self.reported:  # report only changes
            self.reported = lines
            for line in lines:
                self.stderr.write(line)

    def _report(self, run: JudgeRun, result: dict[str, Any]) -> None:
        words = _("Run %(run)s: %(judged)s judged, %(failed)s failed, %(skipped)s skipped.")
        self.stdout.write(words % result)
        if looks := looks_of_run(run).sentence:
            self.stdout.write(looks)
        if run.reason:
            self.stdout.write(run.why)
        if result["waiting"] and run.state != JudgeRun.State.CANCELLED:
            self.stdout.write(
                ngettext(
                    "%(n)s response is left. Continue with: manage.py judge --resume %(run)s",
                    "%(n)s responses are left. Continue with: manage.py judge --resume %(run)s",
                    result["waiting"],
                )
                % {"n": result["waiting"], "run": run.pk}
            )
        for reason, count in result["reasons"].items():
            self.stdout.write(reason_sentence(reason, count))
        if result["offline"]:
            self.stdout.write(_("Judged by rules, without a model: a stand-in, not a judgment."))


def _further_names() -> list[str]:
    """Return the names of the options for models in further roles."""
    return [f"{role}_{part}" for role in registry.roles() for part in ("provider", "model")]


def _further(options: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the models in further roles. Raises CommandError for one without a provider."""
    found = {}
    for role in registry.roles():
        provider, model = options[f"{role}_provider"], options[f"{role}_model"]
        if model and not provider:
            raise CommandError(_("Say which --%(name)s to use.") % {"name": f"{role}-provider"})
        if provider:
            found[role] = (provider, model)
    return found


def tasks_asked_for(given: list[str] | None, reason: str) -> tuple[list[str] | None, TaskSet]:
    """Return the keys and the set of tasks that `--tasks` names; no keys where it names a set.

    Keys may name held-out tasks only together with a reason.
    """
    if given is None:
        return None, EVERY_OPEN_TASK
    if len(given) == 1 and task_sets.is_name(given[0]):
        return None, task_sets.parse(given[0])
    return given, EVERY_TASK if reason else EVERY_OPEN_TASK


def reason_sentence(reason: str, count: int) -> str:
    """Return a sentence on skipped or failed responses, with what to do about them."""
    if reason == "no_rubric":
        return ngettext(
            "%(n)s response skipped: its task has no rubric. Draft one first: "
            "manage.py draft_rubrics",
            "%(n)s responses skipped: their tasks have no rubric. Draft one first: "
            "manage.py draft_rubrics",
            count,
        ) % {"n": count}
    if reason == "same_family":
        return _(
            "%(n)s skipped: the judge is from the candidate's own house. Judge them anyway with "
            "--allow-same-family"
        ) % {"n": count}
    if reason == "no_exemplar":
        return _(
            "%(n)s skipped: the task has no scored example. Score its baseline first, or judge "
            "without one: --method zero_shot"
        ) % {"n": count}
    if reason in SKIPPED:
        return _("%(n)s skipped: %(reason)s.") % {"n": count, "reason": SKIPPED[reason]}
    return _("%(n)s failed: %(reason)s.") % {"n": count, "reason": reason.replace("_", " ")}
