"""What is known of the models that staff have entered."""

import pytest
from django.db import IntegrityError, transaction

from judge.asking.endpoints.models import Endpoint, ServedModel
from judge.asking.endpoints.queries import takes_pictures

pytestmark = pytest.mark.django_db


def test_a_model_takes_pictures_as_staff_entered_it():
    ServedModel.objects.create(provider="openai", model="sees", pictures=True)
    ServedModel.objects.create(provider="openai", model="reads", pictures=False)
    assert takes_pictures("openai", "sees") is True
    assert takes_pictures("openai", "reads") is False


def test_whether_a_model_nobody_entered_takes_pictures_is_unknown():
    assert takes_pictures("openai", "sees") is None
    assert takes_pictures("offline", "rules-1") is False


@pytest.mark.parametrize(
    "wrong",
    [{"name": "openai"}, {"name": ""}, {"protocol": "soap"}, {"address": ""}, {"calls_at_once": 0}],
)
def test_the_database_refuses_an_impossible_endpoint(wrong):
    fields = {"name": "mine", "label": "Mine", "protocol": "openai", "address": "https://a.example"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Endpoint.objects.create(**fields | wrong)
    Endpoint.objects.create(**fields)
