"""Tasks over HTTP, and files of them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.tasks.models import Task

pytestmark = pytest.mark.django_db

JSONL = (
    '{"key": "a", "question": "2 + 3?", "answer": 5, "level": "1"}\n'
    "\n"
    '{"key": "b", "question": "求解方程 x=1", "answer": "1", "source": "book"}\n'
)


def upload(client: Client, name: str, text: str | bytes, **fields: Any) -> Any:
    data = text if isinstance(text, bytes) else text.encode()
    return client.post(
        "/api/tasks/import", {"file": SimpleUploadedFile(name, data), "set": "demo", **fields}
    )


def test_a_jsonl_file_becomes_a_set(client: Client) -> None:
    response = upload(client, "tasks.jsonl", JSONL)

    listed = client.get("/api/tasks?set=demo").json()
    assert response.json() == {"added": 2, "updated": 0, "problems": []}
    assert [
        {name: task[name] for name in ("key", "question", "answer", "level", "metadata")}
        for task in listed["tasks"]
    ] == [
        {"key": "a", "question": "2 + 3?", "answer": "5", "level": "1", "metadata": {}},
        {
            "key": "b",
            "question": "求解方程 x=1",
            "answer": "1",
            "level": "",
            "metadata": {"source": "book"},
        },
    ]
    assert listed["total"] == 2
    assert listed["sets"] == [{"name": "demo", "count": 2}]


def test_the_same_file_twice_changes_nothing(client: Client) -> None:
    upload(client, "tasks.jsonl", JSONL)

    assert upload(client, "tasks.jsonl", JSONL).json() == {"added": 0, "updated": 0, "problems": []}


def test_a_changed_task_is_replaced_by_its_key(client: Client) -> None:
    upload(client, "tasks.jsonl", JSONL)

    answer = upload(client, "tasks.jsonl", JSONL.replace("2 + 3?", "3 + 3?")).json()

    assert (answer["added"], answer["updated"]) == (0, 1)
    assert Task.objects.get(key="a").question == "3 + 3?"


def test_broken_lines_are_named_and_nothing_is_written(client: Client) -> None:
    text = '{"question": "fine?"}\n{"question": \n[1]\n{"answer": "5"}\n'

    response = upload(client, "tasks.jsonl", text)

    body = response.json()
    assert response.status_code == 422
    assert [problem["line"] for problem in body["extra"]["problems"]] == [2, 3, 4]
    assert "line 2" in body["message"]
    assert "Nothing was written" in body["message"]
    assert Task.objects.count() == 0


def test_a_csv_file_with_quoted_line_breaks_becomes_a_set(client: Client) -> None:
    text = 'key,question,answer,topic\r\na,"How much is\r\n2, plus 3?",5,sum\r\n'

    response = upload(client, "tasks.csv", text)

    task = Task.objects.get()
    assert response.status_code == 200
    assert (task.question, task.answer, task.metadata) == (
        "How much is\r\n2, plus 3?",
        "5",
        {"topic": "sum"},
    )


def test_a_csv_row_with_too_few_columns_is_named_by_its_line_in_the_file(client: Client) -> None:
    text = 'key,question,answer\na,"two\nlines",5\nb,no answer\n'

    response = upload(client, "tasks.csv", text)

    assert response.status_code == 422
    assert [p["line"] for p in response.json()["extra"]["problems"]] == [4]
    assert Task.objects.count() == 0


def test_a_csv_without_a_question_column_says_which_columns_it_has(client: Client) -> None:
    response = upload(client, "tasks.csv", "a,b\n1,2\n")

    assert response.status_code == 422
    assert "['a', 'b']" in response.json()["message"]


def test_a_key_that_comes_twice_is_named(client: Client) -> None:
    response = upload(
        client, "t.jsonl", '{"key": "a", "question": "?"}\n{"key": "a", "question": "!"}\n'
    )

    assert response.json()["extra"]["problems"] == [
        {"line": 2, "message": "The key 'a' stands in line 1 too."}
    ]


@pytest.mark.parametrize(
    ("data", "line"), [(b"", 1), (b'{"question": "a"}\n{"question": "\xff"}\n', 2)]
)
def test_a_file_that_is_empty_or_not_utf8_is_refused(
    client: Client, data: bytes, line: int
) -> None:
    response = upload(client, "tasks.jsonl", data)

    assert response.status_code == 422
    if data:
        assert response.json()["extra"]["problems"][0]["line"] == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"question": "a\\ud800"}', "surrogates not allowed"),
        ('{"question": "a", "x": NaN}', "NaN is no number"),
        ('{"question": "a", "x": 1e999}', "the number 1e999 is too large"),
        ('{"question": "a", "x": ' + "9" * 6000 + "}", "limit"),
        ('{"question": "a", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"question": "a", "question": "b"}', "'question' stands twice"),
        ('{"question": "a", "prompt": "b"}', "Two fields hold the 'question'"),
        ('{"question": "a", "level": "' + "l" * 61 + '"}', "longer than 60"),
    ],
)
def test_a_line_that_cannot_be_kept_is_named(client: Client, line: str, why: str) -> None:
    response = upload(client, "t.jsonl", '{"question": "good"}\n' + line + "\n")

    assert response.status_code == 422
    (problem,) = response.json()["extra"]["problems"]
    assert problem["line"] == 2
    assert why in problem["message"]
    assert Task.objects.count() == 0


@pytest.mark.parametrize(
    ("name", "data", "line", "why"),
    [
        ("t.csv", 'question,answer\na,1\n"never closed,2\nb,3\n', 3, "begins here"),
        ("t.csv", "question,prompt\na,b\n", 1, "Two columns hold the 'question'"),
        ("t.csv", "question,answer\n", 1, "no task"),
        ("t.csv", "question,answer\n" + "x" * 200_001 + ",1\n", 2, "200001 characters"),
        ("t.json", '[{"question": "a"}]', 1, "one object a line"),
        ("t.exe", "MZ\0\1", 1, "no text"),
    ],
)
def test_a_file_of_another_form_says_what_is_wrong_where(
    client: Client, name: str, data: str, line: int, why: str
) -> None:
    problem = upload(client, name, data).json()["extra"]["problems"][0]

    assert problem["line"] == line
    assert why in problem["message"]


def test_semicolons_and_long_cells_are_read(client: Client) -> None:
    response = upload(client, "t.csv", "\ufeffkey;question\n1;" + "x" * 150_000 + "\n")

    assert response.json() == {"added": 1, "updated": 0, "problems": []}
    assert len(Task.objects.get().question) == 150_000


@pytest.mark.parametrize(("field", "length"), [("key", 121), ("level", 61), ("question", 200_001)])
def test_a_field_that_is_too_long_is_refused(client: Client, field: str, length: int) -> None:
    body = {"set": "s", "question": "?", field: "x" * length}
    response = client.post("/api/tasks", body, content_type="application/json")

    assert response.status_code == 422
    assert f"{field} has {length} characters" in response.json()["message"]


def test_a_dry_run_counts_and_writes_nothing(client: Client) -> None:
    response = upload(client, "tasks.jsonl", JSONL, dry_run="true")

    assert response.json()["added"] == 2
    assert Task.objects.count() == 0


def test_gaia_files_are_read_by_their_own_field_names(client: Client) -> None:
    upload(
        client,
        "metadata.jsonl",
        '{"task_id": "x1", "Question": "Who?", "Level": 2, "Final answer": "Ada"}\n',
    )

    task = Task.objects.get()
    assert (task.key, task.question, task.level, task.answer) == ("x1", "Who?", "2", "Ada")


def test_a_task_is_added_found_changed_and_removed(client: Client) -> None:
    made = client.post(
        "/api/tasks",
        {"set": "own", "question": "What is 3²?", "answer": "9"},
        content_type="application/json",
    ).json()
    address = f"/api/tasks/{made['id']}"

    found = client.get("/api/tasks?text=3²").json()["tasks"]
    changed = client.put(address, {**made, "answer": "nine"}, content_type="application/json")
    removed = client.delete(address)

    assert [task["id"] for task in found] == [made["id"]]
    assert changed.json()["answer"] == "nine"
    assert removed.status_code == 204
    assert client.get(address).status_code == 404


def test_a_second_task_of_the_same_key_is_refused(client: Client) -> None:
    body = {"set": "own", "key": "1", "question": "?"}
    client.post("/api/tasks", body, content_type="application/json")

    response = client.post("/api/tasks", body, content_type="application/json")

    assert response.status_code == 409
    assert "'1'" in response.json()["message"]


@pytest.mark.parametrize("body", [{"set": "own", "question": " "}, {"set": "", "question": "?"}])
def test_a_task_needs_a_question_and_a_set(client: Client, body: dict[str, str]) -> None:
    response = client.post("/api/tasks", body, content_type="application/json")

    assert response.status_code == 422
