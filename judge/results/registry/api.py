"""The API of candidates, by the same actions as the pages."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from curation.tasks.authoring.serializers import Refusal, Strict, Text
from judge.asking.candidates.models import Candidate
from judge.results.registry import actions


class CandidateInput(Strict):
    """The facts about a candidate; for a change, only those that change."""

    name = Text(200)
    version = Text(80)
    kind = serializers.ChoiceField(choices=Candidate.Kind.choices, required=False)
    family = Text(60)
    licence = serializers.ChoiceField(
        choices=Candidate.Licence.choices, required=False, allow_blank=True
    )
    tools = Text(200)
    provider = Text(20)
    model = Text(120)
    price = Text(200)
    released_on = serializers.DateField(required=False, allow_null=True)
    retired_on = serializers.DateField(required=False, allow_null=True)
    note = Text(5000)


class CandidateItem(serializers.Serializer):
    """One candidate."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    version = serializers.CharField()
    kind = serializers.CharField()
    family = serializers.CharField()
    licence = serializers.CharField()
    tools = serializers.CharField()
    provider = serializers.CharField()
    model = serializers.CharField()
    price = serializers.CharField()
    released_on = serializers.DateField(allow_null=True)
    retired_on = serializers.DateField(allow_null=True)
    note = serializers.CharField()


class CandidateList(serializers.Serializer):
    """All candidates."""

    results = CandidateItem(many=True)


def _item(row: Candidate) -> dict[str, Any]:
    return {"id": row.pk} | {name: getattr(row, name) for name in actions.FIELDS}


def _sent(request: Request) -> dict[str, Any]:
    form = CandidateInput(data=request.data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


class Candidates(APIView):
    """The register."""

    @extend_schema(operation_id="candidates_list", responses={200: CandidateList})
    def get(self, request: Request) -> Response:
        """List every candidate by name."""
        return Response({"results": [_item(row) for row in Candidate.objects.all()]})

    @extend_schema(
        operation_id="candidates_add",
        request=CandidateInput,
        responses={201: CandidateItem, 400: Refusal},
    )
    def post(self, request: Request) -> Response:
        """Enter a candidate."""
        made = actions.add_candidate(actor=request.user, **_sent(request))
        return Response(_item(made), status=201)


class CandidateDetail(APIView):
    """One candidate."""

    @extend_schema(operation_id="candidates_read", responses={200: CandidateItem, 404: Refusal})
    def get(self, request: Request, pk: int) -> Response:
        """Read one candidate."""
        return Response(_item(get_object_or_404(Candidate, pk=pk)))

    @extend_schema(
        operation_id="candidates_change",
        request=CandidateInput,
        responses={200: CandidateItem, 400: Refusal, 404: Refusal},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change what is sent; set `retired_on` to retire it. The rest stays as it is."""
        row = get_object_or_404(Candidate, pk=pk)
        changed = actions.change_candidate(actor=request.user, candidate=row, **_sent(request))
        return Response(_item(changed))
