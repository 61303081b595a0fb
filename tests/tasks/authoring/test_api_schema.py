"""The schema of the API: who reads it, and in which languages and formats."""

import pytest

from curation.joining.accounts.api_tokens import make_token


def test_the_schema_describes_the_tasks(sign_in, author):
    answer = sign_in(author).get("/api/schema/", HTTP_ACCEPT="application/json")
    assert answer.status_code == 200
    assert b"tasks_list" in answer.content
    assert b"prompt_limit" in answer.content


def test_programs_read_the_schema_with_their_token_and_nobody_without_one(client, author):
    _token, key = make_token(actor=author, name="tests")
    answer = client.get("/api/schema/", HTTP_AUTHORIZATION=f"Token {key}")
    assert answer.status_code == 200
    assert b"tasks_list" in answer.content
    refused = client.get("/api/schema/")
    assert refused.status_code == 401
    assert b"not_authenticated" in refused.content
    assert client.get("/api/schema/", HTTP_AUTHORIZATION="Token nobody").status_code == 401


@pytest.mark.parametrize(
    "query",
    ["version=%0a", "version=%00", "version=%22;x", "version=1", "lang=%0a", "lang=fr", "x=1"],
)
def test_the_schema_refuses_parameters_it_does_not_know(sign_in, author, query):
    answer = sign_in(author).get(f"/api/schema/?{query}")
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [query.partition("=")[0]]


def test_the_schema_is_read_in_each_language_and_format_and_nothing_is_logged(
    sign_in, author, capfd
):
    browser = sign_in(author)
    chinese = browser.get("/api/schema/?lang=zh-hans&format=json")
    assert chinese.json()["info"]["version"] == "1"
    assert b"openapi: 3" in browser.get("/api/schema/?format=yaml").content
    assert "".join(capfd.readouterr()) == ""
