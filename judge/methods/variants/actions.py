"""Write a text of the judge's prompt, make a variant, choose what new runs begin with."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.text.wording import listed
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.policies import latest, next_state
from judge.asking import providers
from judge.asking.endpoints.models import ServedModel
from judge.asking.endpoints.parameters import Purpose, problems_with
from judge.asking.prompts import builder, load
from judge.asking.prompts.judge_template import (
    MOST_LETTERS,
    PLACEHOLDERS,
    JudgeText,
    content_with,
    has_marks,
    template_from,
    unknown_placeholders,
)
from judge.asking.providers.base import ProviderError, not_finite
from judge.asking.providers.inputs import Criterion, TaskText
from judge.asking.providers.offline import DEFAULT_MODEL
from judge.methods.variants.models import JudgeDefault, JudgePrompt, JudgeVariant

REASON_LIMIT = 2000  # characters


@action("staff.scoring")
@transaction.atomic
def write_prompt(*, actor: Any, instructions: str, example: str, note: str) -> JudgePrompt:
    """Store a text of the judge's prompt as a version of its own.

    Args:
        instructions: how to decide; may name $domain and $language.
        example: what is said before the example of a task's own anchor.
        note: what is different, and why.

    Raises:
        BadInput: a part is missing, too long, names another placeholder, or holds a mark that
            fences or sections use; no note.
        Conflict: `same_text`, this text exists already, as the built-in one or another version.
    """
    note = required_reason(
        note, _("Say what is different about this text."), limit=REASON_LIMIT, field="note"
    )
    text = JudgeText(instructions=_tidy(instructions), example=_tidy(example))
    fields = {
        name: faults
        for name, faults in (
            ("instructions", _faults(text.instructions, PLACEHOLDERS)),
            ("example", _faults(text.example, ())),
        )
        if faults
    }
    if fields:
        raise BadInput(fields=fields)
    content = content_with(text)
    sha256 = template_from(content).version
    if sha256 == load("judge").version:
        raise Conflict(_("This is the built-in text, unchanged."), code="same_text")
    same = JudgePrompt.objects.filter(sha256=sha256).first()
    if same is not None:
        raise Conflict(
            _("Prompt %(n)s has this text already.") % {"n": same.number}, code="same_text"
        )
    try:
        with transaction.atomic():
            return JudgePrompt.objects.create(
                number=latest(JudgePrompt) + 1, content=content, sha256=sha256, note=note, by=actor
            )
    except IntegrityError:
        raise Conflict(
            _("Somebody stored a prompt at the same moment. Send yours again."),
            code="changed_meanwhile",
        ) from None


def _tidy(text: str) -> str:
    """Return a text with plain line ends and without blank lines around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def _faults(text: str, allowed: tuple[str, ...]) -> list[str]:
    problem = storable.problem_with(text, limit=MOST_LETTERS)
    if problem or storable.is_blank(text):
        return [problem or _("Please fill this in.")]
    found = []
    unknown = unknown_placeholders(text, allowed)
    if unknown and allowed:
        found.append(
            _("Only $domain and $language are known here, not %(names)s. Write $$ for a dollar.")
            % {"names": listed(unknown)}
        )
    elif unknown:
        found.append(
            _("No placeholder is known here, so not %(names)s. Write $$ for a dollar.")
            % {"names": listed(unknown)}
        )
    if has_marks(text):
        found.append(
            _(
                "“<<<”, “>>>”, “What is data” and lines such as “=== prefix ===” are kept for the "
                "fixed parts of the prompt."
            )
        )
    if builder.clean(text) != text:
        found.append(_("It holds signs that cannot be seen. Type the text again."))
    return found


@action("staff.scoring")
@transaction.atomic
def make_variant(
    *,
    actor: Any,
    name: str,
    provider: str,
    calls_mode: str,
    model: str = "",
    prompt: JudgePrompt | None = None,
    example: str = JudgeVariant.Example.OWN,
    rater: str = "",
    parameters: Mapping[str, Any] | None = None,
    note: str = "",
) -> JudgeVariant:
    """Store a configuration of a judge under a name.

    Whether it can judge (the price is known, the rater has sheets) is found when a run is planned.

    Raises:
        BadInput: a setting is missing or unknown, a parameter is one that the provider is not
            asked with, or the name is taken.
        Conflict: `same_settings`, another variant has exactly these settings.
    """
    made = JudgeVariant(
        name=storable.one_line(name),
        prompt=prompt,
        example=example,
        rater=storable.one_line(rater),
        provider=provider,
        model=storable.one_line(model) or (DEFAULT_MODEL if provider == "offline" else ""),
        parameters=dict(parameters or {}),
        calls_mode=calls_mode,
        note=storable.clean(note),
        by=actor,
    )
    fields = _faults_of(made)
    if fields:
        raise BadInput(fields=fields)
    made.sha256 = made.digest()
    same = JudgeVariant.objects.filter(sha256=made.sha256).first()
    if same is not None:
        raise Conflict(
            _("“%(name)s” has exactly these settings already.") % {"name": same.name},
            code="same_settings",
        )
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError:
        raise Conflict(
            _("Somebody stored the same variant at the same moment. Load the page again."),
            code="changed_meanwhile",
        ) from None
    return made


def _faults_of(made: JudgeVariant) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, value, limit in (("name", made.name, 80), ("model", made.model, 120)):
        problem = storable.problem_with(value, limit=limit)
        if problem or storable.is_blank(value):
            fields[name] = [problem or _("Please fill this in.")]
    if "name" not in fields and JudgeVariant.objects.filter(name=made.name).exists():
        fields["name"] = [_("Another variant has this name.")]
    if made.example not in JudgeVariant.Example.values:
        fields["example"] = [_("Choose an example.")]
    if (made.example == JudgeVariant.Example.RATER) != bool(made.rater):
        fields["rater"] = [
            _("Name the rater whose imported sheets are the examples, only for that choice.")
        ]
    if made.provider not in providers.names():
        fields["provider"] = [_("Choose a provider.")]
    elif "model" not in fields and (problem := _refused_parameters(made)):
        fields["parameters"] = [problem]
    if made.calls_mode not in ("per_response", "per_criterion"):
        fields["calls_mode"] = [_("Choose how many lines a call asks about.")]
    if problem := storable.problem_with(made.note, limit=REASON_LIMIT):
        fields["note"] = [problem]
    return fields


def _refused_parameters(made: JudgeVariant) -> str:
    """Return why the provider is not asked with these parameters, or ""."""
    if names := not_finite(made.parameters):
        return _("Give a finite number for: %(names)s.") % {"names": listed(names)}
    provider: Any = providers.get(made.provider)  # a vendor's, unless it is offline
    if provider.offline:
        return _("The offline rules take no parameters.") if made.parameters else ""
    task = TaskText("t", "t", "en", "d", "s", "m", "r")
    line = Criterion("a", "Names x.", "important", 1, "accuracy")
    prompt = builder.judge_prompt(task, [line], None, "x", nonce="0" * 24)
    served = ServedModel.objects.filter(provider=made.provider, model=made.model).first()
    if served and (problems := problems_with(served, Purpose.JUDGE, made.parameters)):
        return " ".join(problems.values())
    try:
        provider.request_body(prompt, model=made.model, parameters=made.parameters)
    except ProviderError as refusal:
        return str(refusal.detail)
    return ""


@action("staff.scoring")
@transaction.atomic
def choose_default(
    *,
    actor: Any,
    variant: JudgeVariant | None,
    reason: str,
    experiment: Any = None,
    read: int | None = None,
) -> JudgeDefault:
    """Choose what new runs begin with; earlier choices stay on record. No run changes.

    Args:
        variant: None for settings by hand.
        experiment: the `JudgeExperiment` the choice rests on.
        read: the number of the choice on the page, to refuse a stale one.

    Raises:
        BadInput: no reason.
        Conflict: `changed_meanwhile`.
    """
    reason = required_reason(reason, _("Say why new runs begin with this."), limit=REASON_LIMIT)
    return next_state(
        JudgeDefault, read=read, variant=variant, experiment=experiment, reason=reason,
        set_by=actor,
    )  # fmt: skip
