"""Endpoints that staff enter, the models they serve, and the parameters of each purpose."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.process.history import AppendOnly
from curation.base.web.fields import LineField
from curation.joining.people import User
from judge.asking.calls.models import Call
from judge.asking.providers import BUILT_IN, Configured


class Endpoint(models.Model):
    """An address where models are asked, beside the vendors that the environment names.

    `name` is what every `provider` column holds, so it never changes. The key stays in the
    environment; the row only has the variable's name.
    """

    class Protocol(models.TextChoices):
        OPENAI = "openai", _("OpenAI's chat completions")
        ANTHROPIC = "anthropic", _("Anthropic's messages")

    name = models.SlugField(max_length=20)
    label = LineField(max_length=80)
    protocol = models.CharField(max_length=10, choices=Protocol.choices)
    address = models.CharField(max_length=300)
    key_variable = models.CharField(max_length=80, blank=True)  # "": the server asks for no key
    calls_at_once = models.PositiveSmallIntegerField(null=True, blank=True)  # null: no own limit
    retired = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=1)  # a stale change is refused
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("label", "name")
        constraints = [
            models.UniqueConstraint(fields=["name"], name="endpoint_name_is_unique"),
            models.CheckConstraint(
                condition=~Q(name__in=["", *BUILT_IN]), name="an_endpoint_has_a_name_of_its_own"
            ),
            models.CheckConstraint(
                condition=Q(protocol__in=["openai", "anthropic"]),
                name="endpoint_protocol_is_known",
            ),
            models.CheckConstraint(condition=~Q(address=""), name="an_endpoint_has_an_address"),
            models.CheckConstraint(
                condition=Q(calls_at_once__isnull=True) | Q(calls_at_once__gte=1),
                name="an_endpoint_takes_a_call_at_least",
            ),
        ]

    def __str__(self) -> str:
        return self.label


class EndpointEvent(AppendOnly):
    """A change of an endpoint by a person; `changes` is field -> [before, after]."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="history")
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    changes = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class ServedModel(models.Model):
    """A model of a provider, and what it can.

    `provider` is the name of an endpoint or of a vendor of the environment, as in prices and
    calls: those vendors have no row. The action that enters a model checks the name.
    """

    provider = models.CharField(max_length=20)
    model = LineField(max_length=120)  # as the provider calls it
    label = LineField(max_length=120, blank=True)
    family = LineField(max_length=60, blank=True)  # "": read from the name
    pictures = models.BooleanField(default=False)
    structured_output = models.BooleanField(default=True)
    search = models.BooleanField(default=False)
    effort = models.BooleanField(default=False)
    context_tokens = models.PositiveIntegerField(null=True, blank=True)  # null: unknown
    most_output_tokens = models.PositiveIntegerField(null=True, blank=True)
    retired = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("provider", "model")
        constraints = [
            models.UniqueConstraint(fields=["provider", "model"], name="a_model_is_entered_once"),
            models.CheckConstraint(
                condition=~Q(provider="") & ~Q(model=""), name="a_model_has_provider_and_name"
            ),
            models.CheckConstraint(
                condition=Q(context_tokens__isnull=True) | Q(context_tokens__gte=1),
                name="a_context_holds_a_token_at_least",
            ),
            models.CheckConstraint(
                condition=Q(most_output_tokens__isnull=True) | Q(most_output_tokens__gte=1),
                name="a_reply_holds_a_token_at_least",
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.model


class ServedModelEvent(AppendOnly):
    """A change of a model or of its parameters by a person; field -> [before, after]."""

    served = models.ForeignKey(ServedModel, on_delete=models.PROTECT, related_name="history")
    actor = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    changes = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class Parameters(models.Model):
    """How a model is asked for one purpose; `values` by our names (`parameters.py`)."""

    served = models.ForeignKey(ServedModel, on_delete=models.PROTECT, related_name="parameters")
    purpose = models.CharField(max_length=10, choices=Call.Purpose.choices)
    values = models.JSONField(default=dict)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["served", "purpose"], name="one_set_of_parameters_per_purpose"
            ),
        ]


class ProgrammeModels(AppendOnly):
    """The models that the programme itself asks, as "provider:model"; "" for none.

    The newest row is in force, all are kept. Without a row the environment's settings are.
    """

    number = models.PositiveIntegerField(default=1)
    draft = models.CharField(max_length=160, blank=True)
    baseline = models.CharField(max_length=160, blank=True)
    lint = models.CharField(max_length=160, blank=True)
    labels = models.CharField(max_length=160, blank=True)
    probes = models.JSONField(default=list, blank=True)
    grader = models.CharField(max_length=160, blank=True)
    set_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.UniqueConstraint(fields=["number"], name="programme_models_are_set_one_by_one"),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="programme_models_are_numbered"
            ),
        ]


class EndpointSource:
    """Reads a row whenever it is asked, so that every process follows a change at once."""

    def in_use(self) -> list[Configured]:
        """Return the endpoints in use. One query."""
        return [as_configured(row) for row in Endpoint.objects.filter(retired=False)]

    def one(self, name: str) -> Configured | None:
        """Return an endpoint, in use or retired. One query."""
        row = Endpoint.objects.filter(name=name).first()
        return None if row is None else as_configured(row)

    def labels(self) -> dict[str, str]:
        """Return name -> label of all endpoints. One query."""
        return dict(Endpoint.objects.values_list("name", "label"))


def as_configured(row: Endpoint) -> Configured:
    """Return what the providers need to know of a row."""
    return Configured(
        name=row.name,
        label=row.label,
        protocol=row.protocol,
        address=row.address,
        key_variable=row.key_variable,
        most_at_once=row.calls_at_once,
        private_networks=tuple(settings.PRIVATE_MODEL_NETWORKS),
        retired=row.retired,
    )
